import type { ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import type { Check } from "../../../runtime/values/schema/check.js";
import {
  checkDefinition,
  columnDefinition,
  indexDefinition,
} from "../../../runtime/values/schema/definitions.js";
import {
  checkName,
  indexName,
  linkName,
  nextName,
  requiredName,
} from "../../../runtime/values/schema/object-names.js";
import type { Link } from "../../../runtime/values/schema/schema.js";
import {
  type Column,
  columnIn,
  type Index,
  isSame,
  isSameTarget,
  type Table,
} from "../../../runtime/values/schema/schema.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
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

/** Adds a column; its default applies to all rows immediately, without rewriting them. */
export function addColumn(table: string, column: Column): readonly PhasedStep[] {
  const { name, check, link } = column;
  return [
    alter(table, `add column ${columnDefinition(column)}`),
    ...(check === null ? [] : addCheck({ table, column: name }, check)),
    ...(link === null ? [] : addLink({ table, column: name }, link)),
  ];
}

export function setDefault({ table, column, to }: ChangeOf<"setDefault">): readonly PhasedStep[] {
  const action = to === null ? "drop default" : `set default ${to}`;
  return [alter(table, `alter column ${sqlIdentifier(column)} ${action}`)];
}

export const again = "-- Again, for rows that were written before the constraint existed.";

/** Makes a column required or optional; existing rows get the default, if there is one. */
export function setRequired(
  table: Table,
  { column: name, to }: ChangeOf<"setRequired">,
): readonly PhasedStep[] {
  const column = sqlIdentifier(name);
  if (!to) return [alter(table.name, `alter column ${column} drop not null`)];
  const proof = requiredName(table.name, name);
  const { default: defaultValue } = columnIn(table, name);
  const fill = [
    `update ${sqlIdentifier(table.name)}`,
    `set ${column} = ${defaultValue}`,
    `where ${idSql(table)} >= $1 and ${idSql(table)} <= $2 and ${column} is null;`,
  ].join("\n");
  return [
    ...(defaultValue === null
      ? []
      : ([
          { phase: "fill", statement: fill },
          { phase: "refill", statement: `${again}\n${fill}` },
        ] as const)),
    { phase: "guard", statements: [addNotValid(table.name, requiredDefinition(proof, name))] },
    validate(proof),
    { phase: "finish", statements: notNull(table.name, name, proof) },
  ];
}

export function setCheck(
  table: Table,
  { column: name, to }: ChangeOf<"setCheck">,
): readonly PhasedStep[] {
  const { check } = columnIn(table, name);
  const dropped = check === null ? [] : [dropConstraint(checkName(table.name, name, check))];
  if (to === null) return [alter(table.name, ...dropped)];
  return addCheck({ table: table.name, column: name }, to, ...dropped);
}

interface OfColumn {
  readonly table: string;
  readonly column: string;
}

/** Adds a check that applies to new rows immediately; existing rows are validated without blocking writes. */
export function addCheck({ table, column }: OfColumn, check: Check, ...others: readonly string[]) {
  const name = checkName(table, column, check);
  const definition = checkDefinition(name, column, check);
  return addConstraint(table, { phase: "prepare", name, definition }, ...others);
}

/**
 * Changes a link. A link to another table is created next to the old one and then takes its name: replacing it in one
 * step would lock both target tables.
 */
export function setLink(
  table: Table,
  { column: name, to }: ChangeOf<"setLink">,
): readonly PhasedStep[] {
  const { link: former } = columnIn(table, name);
  const of = { table: table.name, column: name };
  const own = linkName(table.name, name);
  if (to === null) return [{ ...alter(table.name, dropConstraint(own)), phase: "link" }];
  if (former === null) return addLink(of, to);
  if (isSameTarget(former, to)) return addLink(of, to, dropConstraint(own));
  const next = nextName(own);
  const swap = [dropConstraint(own), renameConstraint(next, own)];
  return [
    ...addConstraint(table.name, {
      phase: "link",
      name: next,
      definition: linkDefinition(next, name, to),
    }),
    { phase: "unlink", statements: swap.map((action) => alterTable(table.name, action)) },
  ];
}

/** Adds a foreign key that applies to new rows immediately; existing rows are validated without blocking writes. */
export function addLink({ table, column }: OfColumn, link: Link, ...others: readonly string[]) {
  const name = linkName(table, column);
  const definition = linkDefinition(name, column, link);
  return addConstraint(table, { phase: "link", name, definition }, ...others);
}

/** Builds an index without blocking writes. If its name is taken, it is built under another name and then swapped. */
export function createIndexLive(table: Table, index: Index): readonly PhasedStep[] {
  const final = indexName(table.name, index);
  const isTaken = table.indexes.some((other) => indexName(table.name, other) === final);
  const name = isTaken ? nextName(final) : final;
  const definition = indexDefinition({ name, table: table.name, index }, "concurrently ");
  const build = { phase: "build", name, statement: `create ${definition};` } as const;
  if (!isTaken) return [build];
  const statements = [`drop index ${sqlIdentifier(final)};`, renameIndex(name, final)];
  return [build, { phase: "finish", statements }];
}

/** Returns the statement that drops an index without blocking writes; null if another index has already replaced it. */
export function dropIndexLive({ name: table, indexes }: Table, index: Index): string | null {
  const name = indexName(table, index);
  const isTaken = indexes.some(
    (other) => !isSame(other, index) && indexName(table, other) === name,
  );
  return isTaken ? null : `drop index concurrently if exists ${sqlIdentifier(name)};`;
}

type Statements = Extract<PhasedStep, { readonly statements: readonly string[] }>;

interface Constraint {
  readonly phase: "prepare" | "link";
  readonly name: string;
  readonly definition: string;
}

/**
 * Returns the steps of a constraint, which is not valid at first, so that validating existing rows does not block
 * writes.
 */
function addConstraint(
  table: string,
  { phase, name, definition }: Constraint,
  ...others: readonly string[]
): readonly PhasedStep[] {
  return [{ phase, statements: [addNotValid(table, definition, ...others)] }, validate(name)];
}

function alter(table: string, ...actions: readonly string[]): Statements {
  return { phase: "prepare", statements: [alterTable(table, ...actions)] };
}

function validate(constraint: string): PhasedStep {
  return { phase: "validate", constraint };
}

export function dropConstraint(constraint: string): string {
  return `drop constraint ${sqlIdentifier(constraint)}`;
}
