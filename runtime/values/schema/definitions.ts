import { sqlIdentifier } from "../sql/text.js";
import { type Check, checkCondition } from "./check.js";
import { withColumns } from "./expression.js";
import { checkName, indexName, primaryKeyName } from "./object-names.js";
import type { Column, Entries, Index, Key, Table } from "./schema.js";

export function createTable({ name, columns }: Table, how: "" | "temporary " = ""): string {
  const lines = [
    ...columns.map(columnDefinition),
    `constraint ${sqlIdentifier(primaryKeyName(name))} primary key (id)`,
    ...columns.flatMap(({ name: column, check }) =>
      check === null ? [] : [checkDefinition(checkName(name, column, check), column, check)],
    ),
  ];
  return `create ${how}table ${sqlIdentifier(name)} (\n  ${lines.join(",\n  ")}\n);`;
}

/** SQL that creates the table with the entries of a list, without its foreign keys. */
export function createEntries(
  name: string,
  { column }: Pick<Entries, "column">,
  how: "" | "temporary " = "",
): string {
  const lines = [
    "record_id uuid not null",
    `target_id ${column === undefined ? "uuid" : "text"} not null`,
    "position integer not null",
    `constraint ${sqlIdentifier(primaryKeyName(name))} primary key (record_id, target_id)`,
  ];
  return `create ${how}table ${sqlIdentifier(name)} (\n  ${lines.join(",\n  ")}\n);`;
}

/** The index that finds the records that list a target. */
export const entriesIndex: Index = {
  unique: false,
  keys: [
    { column: "target_id", order: "asc" },
    { column: "record_id", order: "asc" },
  ],
};

export function columnDefinition({ name, type, required, default: value }: Column): string {
  const parts = [sqlIdentifier(name), type];
  if (required) parts.push("not null");
  if (value !== null) parts.push(`default ${value}`);
  return parts.join(" ");
}

/** SQL that defines a check, inside a table or after `add`. */
export function checkDefinition(name: string, column: string, check: Check): string {
  return conditionDefinition(name, checkCondition(sqlIdentifier(column), check));
}

/** The definition of a check by its condition. */
export function conditionDefinition(name: string, condition: string): string {
  return `constraint ${sqlIdentifier(name)} check (${condition})`;
}

/** The `create index` statement for a table that is not yet in use. */
export function createIndex(table: string, index: Index): string {
  return `create ${indexDefinition({ name: indexName(table, index), table, index })};`;
}

interface NamedIndex {
  readonly name: string;
  readonly table: string;
  readonly index: Index;
}

/** The definition of an index, after `create`. */
export function indexDefinition(
  { name, table, index: { unique, keys, expression } }: NamedIndex,
  how: "concurrently " | "" = "",
): string {
  const what = unique ? "unique index" : "index";
  const columns =
    expression === undefined
      ? keys.map(keyText).join(", ")
      : `(${withColumns(
          expression.sql,
          keys.map(({ column }) => sqlIdentifier(column)),
        )})`;
  const on = `${what} ${how}${sqlIdentifier(name)} on ${sqlIdentifier(table)}`;
  // Turns off the list of pending entries, which every search would read completely.
  return keys.some(({ order }) => order === "contained" || order === "elements")
    ? `${on} using gin (${columns}) with (fastupdate = off)`
    : `${on} (${columns})`;
}

interface SearchIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * The definition of a search index, after `create`; requires the extension pg_trgm. It equals that of a new table;
 * `service.build_search_index` explains why the list of pending entries is kept short.
 */
export function searchDefinition(
  { name, table, columns }: SearchIndex,
  how: "concurrently " | "" = "",
): string {
  const texts = columns.map((column) => `${searchedText(column)} gin_trgm_ops`);
  return [
    `index ${how}${sqlIdentifier(name)} on ${sqlIdentifier(table)}`,
    `using gin (${texts.join(", ")})`,
    "with (gin_pending_list_limit = 2048)",
  ].join("\n");
}

/** The searched text of a column, as an expression of its index. */
export function searchedText(column: string): string {
  return `service.fold_text(${sqlIdentifier(column)})`;
}

/** SQL for a column's text with its case folded. */
function foldedText(column: string): string {
  return `service.fold_case(${sqlIdentifier(column)})`;
}

function keyText({ column, order }: Key): string {
  const name = sqlIdentifier(column);
  if (order === "digest") return `md5(${name})`;
  if (order === "folded") return foldedText(column);
  if (order === "folded digest") return `md5(${foldedText(column)})`;
  // Half as large as with the default `jsonb_ops`, which serves more operators.
  if (order === "contained") return `${name} jsonb_path_ops`;
  return order === "asc" || order === "elements" ? name : `${name} ${order}`;
}
