import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";
import { shownName } from "../adoption.js";
import { sqlColumns, sqlTable } from "../sql-name.js";
import type { Refusal, TableChoice } from "./choice.js";
import { isKey, keyProblem } from "./key.js";
import { isView } from "./view.js";

type KeyChoice = Pick<TableChoice, "key" | "isRepeating">;
type KeyDecision = { readonly key: FoundColumn } | { readonly refused: Refusal };

/** Returns the id column: the chosen one, else the primary key, else a unique column that is never null. */
export function decideKey(table: FoundTable, choice: KeyChoice): KeyDecision {
  const candidates = keysOf(table);
  if (choice.key !== null) return chosenKey(table, { ...choice, key: choice.key }, candidates);
  const key = candidates.find(isKey);
  if (key !== undefined) return { key };
  const [first] = candidates;
  if (first !== undefined) {
    const hasId = table.columns.some((column) => column.name === "id");
    const way = hasId ? null : idWay(table);
    return { refused: { kind: "type", why: keyProblem(first), way } };
  }
  if (isView(table)) {
    const way = `name a column whose values are unique and never null: --key ${shownName(table)}=<column>`;
    return { refused: { kind: "no-key", why: "a view has no key", way } };
  }
  const primary = table.constraints.find(({ kind }) => kind === "primary");
  if (primary === undefined) {
    return { refused: { kind: "no-key", why: "no column identifies a row", way: idWay(table) } };
  }
  const why = `the primary key has ${primary.columns.length} columns`;
  return { refused: { kind: "composite-key", why, way: idWay(table) } };
}

function chosenKey(
  table: FoundTable,
  { key: name, isRepeating }: KeyChoice & { readonly key: string },
  candidates: readonly FoundColumn[],
): KeyDecision {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) {
    return { refused: { kind: "no-key", why: `it has no column ${name}`, way: null } };
  }
  if (!isKey(column)) {
    return { refused: { kind: "type", why: keyProblem(column), way: "name another column" } };
  }
  if (candidates.includes(column)) return { key: column };
  if (isView(table)) {
    if (!isRepeating) return { key: column };
    const repeats = `the column ${name} has duplicate or missing values`;
    return { refused: { kind: "no-key", why: repeats, way: "name another column" } };
  }
  const sql = sqlTable(table);
  const way = `create unique index concurrently on ${sql} (${sqlColumns([column])}); alter table ${sql} alter column ${sqlColumns([column])} set not null`;
  const why = `the column ${name} lacks a unique index or a not-null constraint`;
  return { refused: { kind: "no-key", why, way } };
}

/** Returns the columns that identify a row on their own: the primary key, then unique columns that are never null. */
function keysOf({ columns, constraints, indexes }: FoundTable): readonly FoundColumn[] {
  const primary = constraints.filter(({ kind }) => kind === "primary");
  const unique = indexes.filter(({ isUnique, isPartial }) => isUnique && !isPartial);
  const found = [...primary, ...unique].flatMap(({ columns: [number, ...others] }) =>
    columns.filter((column) => others.length === 0 && column.number === number),
  );
  return [...new Set(found)].filter(({ isNullable }) => !isNullable);
}

/**
 * Returns statements that add an id while the table is in use: none of them rewrites the table under a lock. Null for a
 * partitioned table, whose unique indexes must contain the partition key.
 */
function idWay(table: FoundTable): string | null {
  if (table.kind === "partitioned") return null;
  const sql = sqlTable(table);
  return [
    "add an id while the table is in use:",
    `alter table ${sql} add column id uuid;`,
    `alter table ${sql} alter column id set default gen_random_uuid();`,
    `update ${sql} set id = gen_random_uuid() where id is null;`,
    `create unique index concurrently on ${sql} (id);`,
    `alter table ${sql} alter column id set not null`,
  ].join(" ");
}
