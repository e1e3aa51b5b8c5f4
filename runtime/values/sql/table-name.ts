import { sqlIdentifier } from "./text.js";

/** A table's schema and name, unquoted as in the system catalog. */
export interface TablePlace {
  readonly schema: string;
  readonly name: string;
}

/**
 * The schema and name of a table written as in descriptors and migrations: `artists` or `sales.Artist`. Names have no
 * dots.
 */
export function placeOfTable(table: string): TablePlace {
  const at = table.indexOf(".");
  return at < 0
    ? { schema: "public", name: table }
    : { schema: table.slice(0, at), name: table.slice(at + 1) };
}

/** The table as descriptors and migrations write it. */
export function spelledTable({ schema, name }: TablePlace): string {
  return schema === "public" ? name : `${schema}.${name}`;
}

/** The table in SQL, without its schema if that is `public`. */
export function sqlTable(table: string): string {
  return table.includes(".") ? qualifiedTable(table) : sqlIdentifier(table);
}

/** The table in SQL, always with its schema. */
export function qualifiedTable(table: string): string {
  const { schema, name } = placeOfTable(table);
  return `${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
}

/** The table as descriptors write it, from the form of `sqlTable`. */
export function unquotedTable(sql: string): string {
  const names = sql.match(/"(?:[^"]|"")*"|[^".]+/g) ?? [];
  return names
    .map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
    .join(".");
}

/** The table in SQL with its schema, from the form of `sqlTable`. */
export function withSchema(sql: string): string {
  return unquotedTable(sql).includes(".") ? sql : `public.${sql}`;
}

/** A subquery that replaces a table. */
export interface Substitute {
  /** The alias of the subquery. */
  readonly alias: string;
  /** Rewrites SQL over the table's columns to refer to the subquery. */
  on(sql: string): string;
}

/**
 * Returns the alias for a subquery that replaces the table, given in the form of `sqlTable`. An alias cannot have a
 * schema.
 */
export function substituteOf(table: string): Substitute {
  if (!unquotedTable(table).includes(".")) return { alias: table, on: (sql) => sql };
  return { alias: "_instead", on: (sql) => sql.replaceAll(`${table}.`, "_instead.") };
}
