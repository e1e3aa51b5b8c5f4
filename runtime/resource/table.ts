import type { ColumnKind } from "./column-kinds.js";

/** What a resource's handlers know of its table; emitted, one for each resource. */
export interface Table<Values> {
  /** The resource's name, as in its path: `order-items`. */
  readonly resource: string;
  /** In words, for messages: `order item`. */
  readonly singular: string;
  /** The table as SQL, quoted where needed. */
  readonly name: string;
  readonly columns: Columns<Values>;
  /** Fields that are unique together; left out where there are none. */
  readonly uniques?: readonly UniqueTogether[];
  readonly queries: Queries;
  /** The table that holds how many rows this one has, as SQL; see `Column.counts`. */
  readonly tally: string;
  /** SQL of the texts that `q` searches, case-folded, as the search index has them. */
  readonly search: readonly string[];
  /** Records that refuse a delete. */
  readonly dependants: readonly Dependant[];
}

/** Statements on one record, and what they are made of. */
export interface Queries {
  /** SQL expression over one row of the table: the record as the API shows it, as JSON text. */
  readonly record: string;
  /** `$1` is the id; answers the record as `json`. */
  readonly get: string;
  /**
   * `$1` is the id, then the values in the order of the table's columns; answers the record as `json`.
   * Nothing is written, and no row answered, when another record is seen to have a unique value already.
   */
  readonly insert: string;
  /** Takes and answers what `insert` does, for a stored record. */
  readonly replace: string;
  /** `$1` is the id; answers the id. What goes with the record by `onDelete: cascade` is deleted too. */
  readonly delete: string;
  /** A `with` clause, `$1` is the id: the records that a delete cascades to; left out where there are none. */
  readonly deleted?: string;
}

/** By the record's key, in the record's order. */
export type Columns<Values> = {
  readonly [Key in keyof Values | "id" | "createdAt" | "updatedAt"]: Column;
};

export type Column = {
  /** The column as SQL, quoted where needed. */
  readonly name: string;
  readonly required: boolean;
  readonly unique?: UniqueRule;
  /** A foreign key of the column; its target is how a value is looked up. */
  readonly link?: Link;
} & (
  | { readonly kind: Exclude<ColumnKind, "boolean" | "enum"> }
  | ({ readonly kind: "boolean" } & Counted)
  | ({ readonly kind: "enum"; readonly values: readonly string[] } & Counted)
);

/** A column of which the tally may know how many rows hold each value. */
export type CountedColumn = Extract<Column, { kind: "boolean" | "enum" }>;

interface Counted {
  /**
   * Columns of the tally, one for each value in the values' order (true before false): how many rows
   * hold it. Left out where the tally does not count them.
   */
  readonly counts?: readonly string[];
}

export interface UniqueRule {
  /** The unique index's name, as PostgreSQL reports it. */
  readonly index: string;
  /** SQL that is true for a row holding the value `$1`, in the index's own terms. */
  readonly match: string;
}

/** No two records share the values of all these fields; a record that lacks one of them is free. */
export interface UniqueTogether {
  /** The unique index's name, as PostgreSQL reports it. */
  readonly index: string;
  /** By the record's key, at least two: SQL that is true for a row holding the value `$1` there. */
  readonly matches: Readonly<Record<string, string>>;
}

export interface Link {
  /** The foreign key's name, as PostgreSQL reports it. */
  readonly constraint: string;
  /** SQL that is true when `$1` may be stored. */
  readonly match: string;
}

export interface Dependant {
  readonly table: string;
  /** SQL that is true for a row that must belong to the record `$1`, or to one in `deleted`. */
  readonly match: string;
  /** In words, for messages: `order items`, `order item`. */
  readonly plural: string;
  readonly singular: string;
}

/** The column of a record's key; null for any other word. */
export function columnOf(table: Table<never>, key: string): Column | null {
  return Object.hasOwn(table.columns, key) ? (table.columns[key] ?? null) : null;
}

/** A complete set of values in the order of the columns, which `insert` and `replace` expect. */
export function columnValues<Values extends object>(
  table: Table<Values>,
  values: Values,
): readonly unknown[] {
  // The id comes before the fields, `createdAt` and `updatedAt` after them.
  const keys = Object.keys(table.columns).slice(1, -2) as (keyof Values)[];
  return keys.map((key) => values[key]);
}
