import { conditionDefinition } from "../../../runtime/values/schema/definitions.js";
import { countName, linkName } from "../../../runtime/values/schema/object-names.js";
import {
  type Count,
  idColumnOf,
  type Link,
  type Table,
} from "../../../runtime/values/schema/schema.js";
import { qualifiedTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier, sqlLines, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { width } from "../../text/layout.js";

/** The column of a table's ids. */
export function idSql(table: Table): string {
  return sqlIdentifier(idColumnOf(table).name);
}

/** Returns a check constraint that a column is not null, used until the column itself is. */
export function requiredDefinition(name: string, column: string): string {
  return conditionDefinition(name, `${sqlIdentifier(column)} is not null`);
}

/** Returns a check constraint that the column is null. */
export function emptyDefinition(name: string, column: string): string {
  return conditionDefinition(name, `${sqlIdentifier(column)} is null`);
}

/** The definition of a foreign key, after `add`. */
export function linkDefinition(name: string, column: string, link: Link): string {
  return [
    `constraint ${sqlIdentifier(name)} foreign key (${sqlIdentifier(column)})`,
    `  references ${linkTarget(link)} (${sqlIdentifier(link.column)}) on delete ${link.onDelete}`,
  ].join("\n");
}

/** Returns the statement that adds a foreign key to a table that is not in use yet. */
export function addLink(table: string, column: string, link: Link): string {
  return alterTable(table, `add ${linkDefinition(linkName(table, column), column, link)}`);
}

/** Returns the linked table with its schema, as tables of the app and the package may have the same name. */
export function linkTarget({ schema, table }: Pick<Link, "schema" | "table">): string {
  return schema === "public" ? qualifiedTable(table) : `${schema}.${sqlIdentifier(table)}`;
}

/** Adds a constraint that applies to new rows; existing rows are not scanned. */
export function addNotValid(
  table: string,
  definition: string,
  ...others: readonly string[]
): string {
  return alterTable(table, ...others, `add ${definition} not valid`);
}

/** Combines all actions in one statement, so that the table is locked once. */
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

/** Renames an index if it exists. */
export function renameIndexIfThere(from: string, to: string): string {
  return `alter index if exists ${sqlIdentifier(from)} rename to ${sqlIdentifier(to)};`;
}

/**
 * Makes a column `not null` in two statements. In a single one, the constraint would be dropped before it could prove
 * that there are no nulls, and PostgreSQL would scan the whole table under a lock.
 */
export function notNull(table: string, column: string, proof: string): string[] {
  return [
    alterTable(table, `alter column ${sqlIdentifier(column)} set not null`),
    alterTable(table, `drop constraint ${sqlIdentifier(proof)}`),
  ];
}

/**
 * Returns a tally's counts in the form that the package's procedures expect: `{"status__live": ["status", "live"],
 * "owner": ["account_id", null]}`.
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

/** Returns a call of one of the package's procedures; arguments are already SQL. */
export function call(procedure: string, ...values: readonly string[]): string {
  return `call service.${procedure}(${values.join(", ")});`;
}

export function textArray(texts: readonly string[]): string {
  return texts.length === 0 ? "array[]::text[]" : `array[${texts.map(sqlLiteral).join(", ")}]`;
}
