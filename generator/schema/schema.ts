/**
 * The tables of a model as plain values; `migrations/schema.json` holds one. Names are unquoted here,
 * expressions are finished SQL.
 */
export interface Schema {
  /** Sorted by name. */
  readonly tables: readonly Table[];
}

export interface Table {
  readonly name: string;
  /** The resource it belongs to. */
  readonly resource: string;
  /** `id` first, then the fields in their order, `created_at` and `updated_at` last. */
  readonly columns: readonly Column[];
  readonly checks: readonly Check[];
  readonly links: readonly ForeignKey[];
  readonly indexes: readonly Index[];
  /** Null only before the change that creates it. */
  readonly tally: Tally | null;
  /** Null for a table without texts that are searched. */
  readonly search: SearchIndex | null;
}

export interface Column {
  readonly name: string;
  /** The field it holds; null for the three that every table has. */
  readonly field: string | null;
  /** SQL, with its collation. */
  readonly type: string;
  readonly required: boolean;
  /** SQL; null for none. */
  readonly default: string | null;
}

export interface Check {
  readonly name: string;
  readonly column: string;
  /** SQL */
  readonly expression: string;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: { readonly schema: string; readonly table: string; readonly column: string };
  /** A required link refuses the delete of its target, an optional one is cleared. */
  readonly onDelete: "no action" | "set null";
}

/** A table that holds how many rows another has; triggers keep it. */
export interface Tally {
  readonly name: string;
  /** Beside the number of all rows. */
  readonly counts: readonly Count[];
}

/** How many rows hold a value. */
export interface Count {
  /** The tally's column. */
  readonly name: string;
  readonly column: string;
  readonly value: string;
}

/** Finds rows by a part of the texts in some columns. */
export interface SearchIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  /** SQL of each key, in order. */
  readonly keys: readonly string[];
}
