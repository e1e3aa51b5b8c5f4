import type { FoundColumn, FoundTable } from "../catalogue/catalogue.js";

/** The resources that the tables of a database become, and a report on them. */
export interface Adoption {
  readonly tables: readonly AdoptedTable[];
  /** New columns of tables that have a descriptor. */
  readonly updates: readonly TableUpdate[];
  /** Adopted tables whose descriptors may have gained fields, unique values and links that the tables now have. */
  readonly known: readonly FoundTable[];
  /** Join tables between adopted tables. */
  readonly joins: readonly FoundTable[];
  /** Lines about all tables, in the order of the tables. */
  readonly report: readonly ReportLine[];
  /**
   * Columns with timestamps whose time zone is unknown, such as `public.orders.placed`. If there are any, nothing may
   * be written.
   */
  readonly unzoned: readonly string[];
}

/** The fields for columns that were added to a table since its adoption. */
export interface TableUpdate {
  readonly table: FoundTable;
  readonly resource: string;
  /** Path of the descriptor, relative to the app's folder. */
  readonly path: string;
  readonly fields: readonly AdoptedField[];
  readonly lists: readonly JoinedList[];
  /** The account column, if it is among the new columns; otherwise null. */
  readonly account: FoundColumn | null;
  readonly report: readonly ReportLine[];
}

/** A table that becomes a resource. */
export interface AdoptedTable {
  readonly table: FoundTable;
  readonly resource: string;
  readonly key: FoundColumn;
  /** Whether triggers count the table's rows. */
  readonly isCounted: boolean;
  /** The columns with the times of creation and last change; null for none. */
  readonly createdAt: FoundColumn | null;
  readonly updatedAt: FoundColumn | null;
  /** The time zone of such columns that are stored without one; null if it is unknown. */
  readonly timezone: string | null;
  /**
   * Actions that the database does not allow. They are closed to every caller, in addition to `access: { read: [admin],
   * write: [admin] }`.
   */
  readonly closed: readonly ClosedAction[];
  readonly fields: readonly AdoptedField[];
  /** The account column, if this is the people table; otherwise null. */
  readonly account: FoundColumn | null;
  /** Lists of links that are stored in join tables. */
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
  /** The field's options in the descriptor, without the column. */
  readonly options: FieldOptions;
}

/** A list of links that are stored in a join table. */
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

/** A note about a table or column that was adopted with changes or left out. */
export interface ReportLine {
  /** The qualified name, such as `public.Artist`. */
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

/** The content of a report line, without its table. */
export type Remark = Omit<ReportLine, "table">;

/** Returns the name used in report lines, such as `public.Artist`. */
export function shownName({ schema, name }: Pick<FoundTable, "schema" | "name">): string {
  return `${schema}.${name}`;
}

export function linesOf(
  table: Pick<FoundTable, "schema" | "name">,
  remarks: readonly Remark[],
): readonly ReportLine[] {
  return remarks.map((remark) => ({ table: shownName(table), ...remark }));
}
