import type { FoundTable } from "./catalogue.js";
import { additionSql, creationSql } from "./creation-statements.js";
import { neededSql } from "./needed-statement.js";
import type { Run } from "./read.js";

/** A statement that creates part of the adopted tables in another database. */
export interface Creation {
  readonly kind:
    | "schema"
    | "extension"
    | "type"
    | "function"
    | "sequence"
    | "table"
    | "partition"
    | "view"
    | "ownership"
    | "constraint"
    | "link"
    | "index"
    | "comment"
    | "trigger";
  readonly statement: string;
  /** The table that a foreign key references, and the relations that a view reads, as `schema.name`. */
  readonly needs: readonly string[];
  /** The table or view that the statement creates, as `schema.name`; null for any other statement. */
  readonly creates: string | null;
}

/**
 * Reads the statements that create the tables with all their columns, types, sequences, constraints, indexes, comments,
 * functions and triggers, in executable order.
 */
export async function readCreation(
  run: Run,
  tables: readonly Pick<FoundTable, "schema" | "name">[],
): Promise<readonly Creation[]> {
  const schemas = tables.map(({ schema }) => schema);
  const names = tables.map(({ name }) => name);
  await run(printSchemas, []);
  return (await run(creationSql, [schemas, names])) as readonly Creation[];
}

/** Reads the other tables and views that these views need. */
export async function readNeeded(
  run: Run,
  views: readonly Pick<FoundTable, "schema" | "name">[],
): Promise<readonly Pick<FoundTable, "schema" | "name">[]> {
  const parts = [views.map(({ schema }) => schema), views.map(({ name }) => name)];
  return (await run(neededSql, parts)) as readonly Pick<FoundTable, "schema" | "name">[];
}

/** Makes PostgreSQL print all names with their schema, until the transaction ends. */
const printSchemas = "select set_config('search_path', '', true)";

/** A column of a table, by name. */
export interface NamedColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/** Reads the statements that add the columns in a database that lacks them. */
export async function readAdditions(
  run: Run,
  columns: readonly NamedColumn[],
): Promise<readonly string[]> {
  await run(printSchemas, []);
  const rows = await run(additionSql, [
    columns.map(({ schema }) => schema),
    columns.map(({ table }) => table),
    columns.map(({ column }) => column),
  ]);
  return (rows as readonly { readonly statement: string }[]).map(({ statement }) => statement);
}
