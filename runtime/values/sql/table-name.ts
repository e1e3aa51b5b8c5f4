import { sqlIdentifier } from "./text.js";

/** A table's schema and name in the catalogue. */
export interface TablePlace {
  readonly schema: string;
  readonly name: string;
}

/** The place of a table that descriptors and migrations spell `artists` or `sales.Artist`. No name has a dot. */
export function placeOfTable(table: string): TablePlace {
  const at = table.indexOf(".");
  return at < 0
    ? { schema: "public", name: table }
    : { schema: table.slice(0, at), name: table.slice(at + 1) };
}

/** How descriptors and migrations spell the table. */
export function spelledTable({ schema, name }: TablePlace): string {
  return schema === "public" ? name : `${schema}.${name}`;
}

/** The table in SQL; a table of the schema `public` without its schema. */
export function sqlTable(table: string): string {
  return table.includes(".") ? qualifiedTable(table) : sqlIdentifier(table);
}

/** The table in SQL, with its schema. */
export function qualifiedTable(table: string): string {
  const { schema, name } = placeOfTable(table);
  return `${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
}

/** The spelling of a table given as `sqlTable` writes it. */
export function unquotedTable(sql: string): string {
  const names = sql.match(/"(?:[^"]|"")*"|[^".]+/g) ?? [];
  return names
    .map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
    .join(".");
}

/** A table given as `sqlTable` writes it, with its schema. */
export function withSchema(sql: string): string {
  return unquotedTable(sql).includes(".") ? sql : `public.${sql}`;
}

/** A subquery that takes the place of a table, given as `sqlTable` writes it. */
export interface Substitute {
  /** The name of the subquery. */
  readonly alias: string;
  /** Rewrites SQL over the table's columns into SQL over those of the subquery. */
  on(sql: string): string;
}

/** The name of a subquery cannot have a schema, as that of a table can. */
export function substituteOf(table: string): Substitute {
  if (!unquotedTable(table).includes(".")) return { alias: table, on: (sql) => sql };
  return { alias: "_instead", on: (sql) => sql.replaceAll(`${table}.`, "_instead.") };
}
