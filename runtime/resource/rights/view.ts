import { allMembers, recordOf } from "../table/record-json.js";
import type { Columns, Table } from "../table/table.js";
import type { AccountSql } from "./account.js";
import type { SomeRows } from "./grants/grants.js";
import { onceFor } from "./once-for.js";

/** Rows that queries read: those of a table as a caller sees it, or accounts. */
export interface Rows {
  readonly resource: string;
  /** The table as SQL. */
  readonly name: string;
  /** The fields that the caller may read. */
  readonly columns: Columns<never>;
  readonly links?: Table<never>["links"];
  readonly inverses?: Table<never>["inverses"];
  /** Omitted if the caller sees all rows. */
  readonly own?: SomeRows;
  /** Omitted for accounts. */
  readonly access?: Table<never>["access"];
}

/** What a caller sees of single records. */
export interface SeenRecord {
  readonly table: Table<never>;
  /** SQL over one row of the table: the record as the caller sees it, as JSON text. */
  readonly record: string;
  /** Omitted if the caller sees all rows. */
  readonly own?: SomeRows;
}

/**
 * A table as all callers with a role see it by one action. Statements are built from a view, so that they can only name
 * fields and find rows that the caller may see.
 */
export interface View extends Rows, SeenRecord {
  readonly access: Table<never>["access"];
  /** The `with` clause of its statements; omitted if its rows are those of a table. */
  readonly source?: string;
}

/** Adds the view's source to the statement. */
export function withSource({ source }: Pick<View, "source">, text: string): string {
  return source === undefined ? text : `${source} select * from (${text}) as _read`;
}

/** The table as the app itself sees it; the same for every caller if no rule distinguishes callers. */
export const wholeView = onceFor((table: Table<never>) => viewOf(table, table.columns));

/** All rows of a table with only these columns; links by other columns are omitted. */
export function viewOf(table: Table<never>, columns: Columns<never>): View {
  const { resource, name, access, links, inverses } = table;
  return {
    table,
    resource,
    name,
    access,
    columns,
    links: links && linksBy(links, columns),
    inverses,
    record: recordOf(allMembers({ name, columns })),
  };
}

function linksBy(links: Required<Table<never>>["links"], columns: Columns<never>) {
  const shown = Object.entries(links).filter(([, { field }]) => Object.hasOwn(columns, field));
  return Object.fromEntries(shown);
}

/** SQL that is true for rows that the caller sees. */
export function rowsSeen({ table, own }: SeenRecord, account: AccountSql): string {
  return own === undefined ? "true" : own.row(table.name, account);
}
