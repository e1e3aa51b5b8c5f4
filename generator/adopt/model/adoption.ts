import type { FoundColumn, FoundTable } from "../catalogue/catalogue.js";

/** What the tables of a database become, and a report on them. */
export interface Adoption {
  readonly tables: readonly AdoptedTable[];
  /** New columns of tables that have a descriptor. */
  readonly updates: readonly TableUpdate[];
  /** The tables that have a descriptor, if it may have got fields, unique values and links that they have by now. */
  readonly known: readonly FoundTable[];
  /** The tables that have links of those above, and nothing else. */
  readonly joins: readonly FoundTable[];
  /** Lines about all tables, in their order. */
  readonly report: readonly ReportLine[];
  /** The columns of times without a zone, if it is unknown: `public.orders.placed`. Nothing may then be written. */
  readonly unzoned: readonly string[];
}

/** The fields for columns that a table got since its adoption. */
export interface TableUpdate {
  readonly table: FoundTable;
  readonly resource: string;
  /** The descriptor, relative to the app's folder. */
  readonly path: string;
  readonly fields: readonly AdoptedField[];
  readonly lists: readonly JoinedList[];
  /** The column of the accounts among them; null for a table that does not get it. */
  readonly account: FoundColumn | null;
  readonly report: readonly ReportLine[];
}

/** A table that becomes a resource. */
export interface AdoptedTable {
  readonly table: FoundTable;
  readonly resource: string;
  readonly key: FoundColumn;
  /** Whether triggers count its rows. */
  readonly isCounted: boolean;
  /** The columns of the record's own times; null for none. */
  readonly createdAt: FoundColumn | null;
  readonly updatedAt: FoundColumn | null;
  /** The zone of those that are stored without one; null if it is unknown. */
  readonly timezone: string | null;
  /** Actions that the database refuses, besides those of `access: { read: [admin], write: [admin] }`. */
  readonly closed: readonly ClosedAction[];
  readonly fields: readonly AdoptedField[];
  /** The column of the accounts, if the rows are their people. */
  readonly account: FoundColumn | null;
  /** Lists of links that other tables have. */
  readonly lists: readonly JoinedList[];
  /** Lists of fields whose combined values are unique. */
  readonly uniques: readonly (readonly string[])[];
  /** Lines about this table. */
  readonly report: readonly ReportLine[];
}

export type ClosedAction = "create" | "update" | "delete";

export interface AdoptedField {
  readonly name: string;
  readonly column: FoundColumn;
  /** The options as a descriptor has them, without the column. */
  readonly options: FieldOptions;
}

/** A list of links that a table has through another. */
export interface JoinedList {
  readonly name: string;
  readonly options: FieldOptions;
}

export interface FieldOptions {
  readonly type: string;
  readonly required?: true;
  readonly readOnly?: true;
  readonly unique?: true;
  readonly [option: string]: unknown;
}

/** Something that is not taken as it is. */
export interface ReportLine {
  /** With its schema: `public.Artist`. */
  readonly table: string;
  /** The column's name; null for a line about the table. */
  readonly column: string | null;
  readonly kind: ReportKind;
  readonly taken: boolean | "read-only";
  readonly why: string;
  /** How to proceed; null if no action is needed. */
  readonly way: string | null;
}

export type ReportKind =
  | "composite-key"
  | "no-key"
  | "privilege"
  | "inheritance"
  | "rule"
  | "foreign-table"
  | "row-security"
  | "ledger"
  | "view"
  | "name"
  | "type"
  | "generated"
  | "secret"
  | "check"
  | "unique"
  | "exclusion"
  | "trigger"
  | "index";

/** What a line says, without the table that it is about. */
export type Remark = Omit<ReportLine, "table">;

/** The name that lines use: `public.Artist`. */
export function shownName({ schema, name }: Pick<FoundTable, "schema" | "name">): string {
  return `${schema}.${name}`;
}

export function linesOf(
  table: Pick<FoundTable, "schema" | "name">,
  remarks: readonly Remark[],
): readonly ReportLine[] {
  return remarks.map((remark) => ({ table: shownName(table), ...remark }));
}
