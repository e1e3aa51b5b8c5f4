import type { ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import { checkDefinition, indexDefinition } from "../../../runtime/values/schema/definitions.js";
import {
  checkName,
  indexName,
  linkName,
  nextName,
  requiredName,
} from "../../../runtime/values/schema/object-names.js";
import {
  type Column,
  columnIn,
  type Index,
  type Table,
} from "../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLines, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { acceptedCondition, conversion, describeColumn } from "../changes/convert.js";
import type { PhasedStep } from "./phase.js";
import {
  addNotValid,
  alterTable,
  idSql,
  linkDefinition,
  notNull,
  renameConstraint,
  renameIndex,
  requiredDefinition,
} from "./table.js";

/**
 * Replaces a column with one of another type. A trigger and batches fill the new column next to the old one; once its
 * constraints and indexes exist, the two are swapped. Rewriting the column in place would keep the table locked
 * throughout.
 */
export function replaceColumn(
  table: Table,
  change: ChangeOf<"replaceColumn">,
): readonly PhasedStep[] {
  const parts = partsOf(table, change);
  return [
    { phase: "prepare", statements: prepare(parts) },
    { phase: "fill", statement: fill(parts) },
    ...parts.guards.map(
      ({ phase, definition }): PhasedStep => ({
        phase,
        statements: [addNotValid(parts.table, definition)],
      }),
    ),
    ...parts.guards.map(({ next }): PhasedStep => ({ phase: "validate", constraint: next })),
    ...change.indexes.map((index) => build(parts, index)),
    {
      // The old column's link is dropped with it.
      phase: parts.former.link === null ? "finish" : "unlink",
      statements: finish(parts, change.indexes),
    },
  ];
}

interface Parts {
  readonly table: string;
  /** The id column, quoted for SQL. */
  readonly id: string;
  readonly former: Column;
  readonly column: Column;
  /** The new column's name until it replaces the old one. */
  readonly next: string;
  /** The new value for a row whose columns have that prefix. */
  readonly value: (row: "" | "new.") => string;
  readonly guards: readonly Guard[];
}

/** A constraint of the new column. */
interface Guard {
  readonly phase: "guard" | "link";
  readonly next: string;
  /** Null for a constraint that exists only until the column is `not null`. */
  readonly name: string | null;
  readonly definition: string;
}

function partsOf(table: Table, { column }: ChangeOf<"replaceColumn">): Parts {
  const former = columnIn(table, column.name);
  const next = nextName(column.name);
  const { value } = conversion(former, column);
  return {
    table: table.name,
    id: idSql(table),
    former,
    column,
    next,
    value: (row) => {
      const own = row === "" ? sqlIdentifier(column.name) : newField(column.name);
      const converted = value(own);
      const isFilled = column.required && column.default !== null;
      return isFilled ? `coalesce(${converted}, ${column.default})` : converted;
    },
    guards: guardsOf(table.name, column, next),
  };
}

/** A field of a trigger's `new`; PL/pgSQL's own words must be quoted. */
function newField(column: string): string {
  return `new.${plpgsqlWords.has(column) ? `"${column}"` : sqlIdentifier(column)}`;
}

/** Words of PL/pgSQL that SQL does not reserve. */
const plpgsqlWords: ReadonlySet<string> = new Set(
  "begin by declare execute foreach if loop strict while".split(" "),
);

function guardsOf(table: string, column: Column, next: string): readonly Guard[] {
  const { name, check, link, required } = column;
  const guards: Guard[] = [];
  if (check !== null) {
    const final = checkName(table, name, check);
    const own = nextName(final);
    guards.push({
      phase: "guard",
      next: own,
      name: final,
      definition: checkDefinition(own, next, check),
    });
  }
  if (link !== null) {
    const final = linkName(table, name);
    const own = nextName(final);
    guards.push({
      phase: "link",
      next: own,
      name: final,
      definition: linkDefinition(own, next, link),
    });
  }
  if (required) {
    const own = nextName(requiredName(table, name));
    guards.push({
      phase: "guard",
      next: own,
      name: null,
      definition: requiredDefinition(own, next),
    });
  }
  return guards;
}

/** Returns the name of the trigger's function, which is in the same schema as the tallies' functions. */
function functionName({ table, column }: Parts): string {
  return `service.${sqlIdentifier(nextName(`${table}__${column.name}`))}`;
}

/** Rejects values written in the meantime that the checks would have rejected before the first step. */
function refusal({ table, former, column }: Parts): string {
  const value = newField(column.name);
  const fits = acceptedCondition(former, column, value);
  if (fits === null) return "";
  const words = sqlLiteral(
    `${table}.${column.name} is about to become ${describeColumn(column)}, which this value is not`,
  );
  return `  if ${value} is not null and not (${fits}) then\n    raise check_violation using message = ${words};\n  end if;\n`;
}

function prepare(parts: Parts): readonly string[] {
  const { table, column, next, value } = parts;
  const body = `begin\n${refusal(parts)}  new.${sqlIdentifier(next)} := ${value("new.")};\n  return new;\nend`;
  return [
    alterTable(table, `add column ${sqlIdentifier(next)} ${column.type}`),
    [
      `create function ${functionName(parts)}() returns trigger`,
      "language plpgsql",
      // The trigger runs in the writer's session, which may have other settings.
      ...(parts.former.type === "double precision" ? ["set extra_float_digits = 1"] : []),
      `as ${body.includes("$$") ? sqlLines(body) : `$$\n${body}\n$$`};`,
    ].join("\n"),
    [
      `create trigger ${sqlIdentifier(next)} before insert or update on ${sqlIdentifier(table)}`,
      `  for each row execute function ${functionName(parts)}();`,
    ].join("\n"),
  ];
}

function fill({ table, id, column, next, value }: Parts): string {
  const isFilled = column.required && column.default !== null;
  const own = sqlIdentifier(column.name);
  return [
    `update ${sqlIdentifier(table)}`,
    `set ${sqlIdentifier(next)} = ${value("")}`,
    `where ${id} >= $1 and ${id} <= $2`,
    `  and ${sqlIdentifier(next)} is null${isFilled ? "" : ` and ${own} is not null`};`,
  ].join("\n");
}

function build({ table, column, next }: Parts, index: Index): PhasedStep {
  const name = nextName(indexName(table, index));
  const keys = index.keys.map((key) =>
    key.column === column.name ? { ...key, column: next } : key,
  );
  const definition = indexDefinition({ name, table, index: { ...index, keys } }, "concurrently ");
  return { phase: "build", name, statement: `create ${definition};` };
}

function finish(parts: Parts, indexes: readonly Index[]): readonly string[] {
  const { table, column, next, guards } = parts;
  const own = sqlIdentifier(column.name);
  return [
    `drop trigger ${sqlIdentifier(next)} on ${sqlIdentifier(table)};`,
    `drop function ${functionName(parts)}();`,
    alterTable(table, `drop column ${own}`),
    alterTable(table, `rename column ${sqlIdentifier(next)} to ${own}`),
    ...guards.flatMap((one) =>
      one.name === null ? [] : [alterTable(table, renameConstraint(one.next, one.name))],
    ),
    ...indexes.map((index) => {
      const name = indexName(table, index);
      return renameIndex(nextName(name), name);
    }),
    ...(column.default === null
      ? []
      : [alterTable(table, `alter column ${own} set default ${column.default}`)]),
    ...(column.required
      ? notNull(table, column.name, nextName(requiredName(table, column.name)))
      : []),
  ];
}
