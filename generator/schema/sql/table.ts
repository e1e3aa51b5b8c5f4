import { type Check, checkCondition } from "../../kind/column/check.js";
import type { Link } from "../../kind/field.js";
import { width } from "../../text/layout.js";
import { sqlIdentifier, sqlLines, sqlLiteral } from "../../text/sql.js";
import {
  checkName,
  countName,
  indexName,
  linkName,
  primaryKeyName,
} from "../tables/object-names.js";
import type { Column, Count, Index, Key, Table } from "../tables/schema.js";

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

export function columnDefinition({ name, type, required, default: value }: Column): string {
  const parts = [sqlIdentifier(name), type];
  if (required) parts.push("not null");
  if (value !== null) parts.push(`default ${value}`);
  return parts.join(" ");
}

/** The definition of a check, inside a table or after `add`. */
export function checkDefinition(name: string, column: string, check: Check): string {
  return conditionDefinition(name, checkCondition(sqlIdentifier(column), check));
}

/** The constraint that a column is not null, until the column itself is. */
export function requiredDefinition(name: string, column: string): string {
  return conditionDefinition(name, `${sqlIdentifier(column)} is not null`);
}

/** A constraint that the column holds nothing at all. */
export function emptyDefinition(name: string, column: string): string {
  return conditionDefinition(name, `${sqlIdentifier(column)} is null`);
}

function conditionDefinition(name: string, condition: string): string {
  return `constraint ${sqlIdentifier(name)} check (${condition})`;
}

/** The definition of a foreign key, after `add`. */
export function linkDefinition(name: string, column: string, link: Link): string {
  return [
    `constraint ${sqlIdentifier(name)} foreign key (${sqlIdentifier(column)})`,
    `  references ${linkTarget(link)} (${sqlIdentifier(link.column)}) on delete ${link.onDelete}`,
  ].join("\n");
}

/** The statement for a table that is not in use yet. */
export function addLink(table: string, column: string, link: Link): string {
  return alterTable(table, `add ${linkDefinition(linkName(table, column), column, link)}`);
}

/** The linked table with its schema, because a table of the app may have the same name as the package's. */
export function linkTarget({ schema, table }: Link): string {
  return `${schema}.${sqlIdentifier(table)}`;
}

/** The statement for a table that is not in use yet. */
export function createIndex(table: string, index: Index): string {
  return `create ${indexDefinition(indexName(table, index), table, index)};`;
}

/** The definition of an index, after `create`. */
export function indexDefinition(
  name: string,
  table: string,
  { unique, keys }: Index,
  how: "concurrently " | "" = "",
): string {
  const what = unique ? "unique index" : "index";
  const columns = keys.map(keyText).join(", ");
  return `${what} ${how}${sqlIdentifier(name)} on ${sqlIdentifier(table)} (${columns})`;
}

/**
 * The definition of a search index, after `create`; needs the extension pg_trgm. It equals that of a
 * new table: `service.build_search_index` explains why its list is kept short.
 */
export function searchDefinition(
  name: string,
  table: string,
  columns: readonly string[],
  how: "concurrently " | "" = "",
): string {
  const texts = columns.map((column) => `${searchedText(column)} gin_trgm_ops`);
  return [
    `index ${how}${sqlIdentifier(name)} on ${sqlIdentifier(table)}`,
    `using gin (${texts.join(", ")})`,
    "with (gin_pending_list_limit = 2048)",
  ].join("\n");
}

/** What is searched of a column, in the terms of its index. */
export function searchedText(column: string): string {
  return `service.fold_case(${sqlIdentifier(column)})`;
}

function keyText({ column, order }: Key): string {
  const name = sqlIdentifier(column);
  if (order === "digest") return `md5(${name})`;
  return order === "asc" ? name : `${name} ${order}`;
}

/** Adds a constraint that applies to new rows; existing rows are not read. */
export function addNotValid(
  table: string,
  definition: string,
  ...others: readonly string[]
): string {
  return alterTable(table, ...others, `add ${definition} not valid`);
}

/** All actions in one statement, so that the table is locked once. */
export function alterTable(table: string, ...actions: readonly string[]): string {
  const alter = `alter table ${sqlIdentifier(table)}`;
  const line = `${alter} ${actions.join(", ")};`;
  const fits = actions.length === 1 && !line.includes("\n") && line.length <= width;
  return fits ? line : `${alter}\n  ${actions.join(",\n  ")};`;
}

/** An action for `alterTable`. */
export function renameConstraint(from: string, to: string): string {
  return `rename constraint ${sqlIdentifier(from)} to ${sqlIdentifier(to)}`;
}

export function renameIndex(from: string, to: string): string {
  return `alter index ${sqlIdentifier(from)} rename to ${sqlIdentifier(to)};`;
}

export function dropIndexIfThere(name: string): string {
  return `drop index if exists ${sqlIdentifier(name)};`;
}

/** Renames an index that the database may lack. */
export function renameIndexIfThere(from: string, to: string): string {
  return `alter index if exists ${sqlIdentifier(from)} rename to ${sqlIdentifier(to)};`;
}

/**
 * Makes a column `not null` in two statements: in one, the constraint would be dropped before it could
 * prove that nothing is empty, and the whole table would be read under a lock.
 */
export function notNull(table: string, column: string, proof: string): string[] {
  return [
    alterTable(table, `alter column ${sqlIdentifier(column)} set not null`),
    alterTable(table, `drop constraint ${sqlIdentifier(proof)}`),
  ];
}

/**
 * What a tally counts, as the package's procedures take it:
 * `{"status__live": ["status", "live"], "owner": ["account_id", null]}`.
 */
export function countsLiteral(counts: readonly Count[]): string {
  const lines = counts.map((count) => {
    const [key, column, value] = [countName(count), count.column, count.value].map((text) =>
      JSON.stringify(text),
    );
    return `  ${key}: [${column}, ${value}]`;
  });
  return sqlLines(lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n}`);
}

/** A call of one of the package's procedures; arguments are finished SQL. */
export function call(procedure: string, ...values: readonly string[]): string {
  return `call service.${procedure}(${values.join(", ")});`;
}

export function textArray(texts: readonly string[]): string {
  return texts.length === 0 ? "array[]::text[]" : `array[${texts.map(sqlLiteral).join(", ")}]`;
}
