import type { JsonSchema } from "../json-schema/schema.js";
import type { Check } from "./check.js";
import type { FieldKind } from "./field-kinds.js";

/**
 * The tables of a model as plain values, as in `migrations/schema.json`. Names are unquoted. The names of constraints,
 * indexes and tallies derive from the names of tables and columns (`object-names.ts`), so that a rename includes them.
 */
export interface Schema {
  /** Sorted by name. */
  readonly tables: readonly Table[];
}

export const emptySchema: Schema = { tables: [] };

export interface Table {
  readonly name: string;
  /** The resource that the table belongs to. */
  readonly resource: string;
  /** In the order of the database: columns added later follow `created_at` and `updated_at`. */
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  /** The values whose rows are counted, in addition to all rows; null before a tally exists. */
  readonly counts: readonly Count[] | null;
  /** Columns with searched text. */
  readonly search: readonly string[];
  /** Set if every change of a row is logged. */
  readonly logged?: true;
  /** Set if deleted rows are kept in the trash. */
  readonly trash?: true;
  /** Left out if no words are indexed. */
  readonly words?: Words;
  /**
   * Set if the table was there before the app: all its columns. Migrations then change what stands
   * beside the table, and nothing in it.
   */
  readonly adopted?: readonly AdoptedColumn[];
  /** Set for a view or a partitioned table: PostgreSQL returns no version of a written row. */
  readonly unversioned?: true;
}

/** A column of an adopted table, as the database had it. */
export interface AdoptedColumn {
  readonly name: string;
  /** The type below domains; of an array, that of its elements with `[]`. */
  readonly type: string;
  /** Set if it is never null. */
  readonly required?: true;
  /** The type to which statements cast values; left out for a column of a type that the app itself creates. */
  readonly cast?: string;
  /** Set for a link whose foreign key has not been validated: it may lead to no row. */
  readonly dangling?: true;
}

export interface Column {
  readonly name: string;
  /** The column's field and kind; null for the columns of the id and of the record's own times. */
  readonly field: string | null;
  readonly kind: FieldKind | null;
  /** The time that the column holds; left out for fields, and for a column with the usual name. */
  readonly time?: "createdAt" | "updatedAt";
  /**
   * Set for the column of the id, if it is not a UUID in a column `id`: `identity` if the database numbers the rows,
   * `key` otherwise.
   */
  readonly id?: "identity" | "key";
  /** SQL, with its collation. */
  readonly type: string;
  readonly required: boolean;
  /** SQL; null for none. */
  readonly default: string | null;
  readonly check: Check | null;
  readonly link: Link | null;
  /** For a list of links or of files, what they refer to; left out for other columns. */
  readonly entries?: Entries;
  /** The JSON Schema of values, which writes must satisfy; left out for none. */
  readonly schema?: JsonSchema;
}

/** The target of a list of links or of files, whose entries are rows of another table. */
export interface Entries {
  readonly schema: "public" | "service";
  readonly table: string;
  /** The text column that the entries refer to; left out if it is `id`. */
  readonly column?: string;
  /** Whether entries prevent the deletion of their target, or are deleted with it. */
  readonly onDelete: "no action" | "cascade";
}

/** A foreign key. */
export interface Link {
  readonly schema: "public" | "service";
  readonly table: string;
  readonly column: string;
  /** A required link refuses the deletion of its target or is deleted with it; an optional one is cleared. */
  readonly onDelete: "no action" | "cascade" | "set null";
}

export interface Index {
  readonly unique: boolean;
  /** The indexed columns; for an index on an expression, the columns that the expression reads. */
  readonly keys: readonly Key[];
  /** Left out for an index on columns. */
  readonly expression?: IndexExpression;
}

/** The expression of a computed field, on whose value an index is built. */
export interface IndexExpression {
  /** The part of the index's name in place of a column's name: `total`. */
  readonly name: string;
  /** SQL with placeholders for the keys' columns: see `withColumns`. */
  readonly sql: string;
}

export interface Key {
  readonly column: string;
  /**
   * `digest` is for a text that may exceed the size limit of an index; `folded` ignores case. `contained` finds JSON by
   * what it contains, and `elements` lists by their elements; each of these two is the only key of its index.
   */
  readonly order:
    | "asc"
    | "desc"
    | "desc nulls last"
    | "digest"
    | "folded"
    | "folded digest"
    | "contained"
    | "elements";
}

/** What full-text search indexes of a table's rows. */
export interface Words {
  /** A text search configuration; null if a column names it. */
  readonly language: string | null;
  readonly languageColumn: string | null;
  /** Every language that a row may have. */
  readonly languages: readonly string[];
  readonly accents: "keep" | "ignore";
  /** The fields of a group are adjacent. */
  readonly fields: readonly WordsField[];
}

export interface WordsField {
  readonly column: string;
  readonly weight: "A" | "B" | "C" | "D";
  /** The number of the group of fields with the same readers. */
  readonly group: number;
  /** Set for a list: the words are those of its elements. */
  readonly list?: true;
  /** Null for a field of the row itself. */
  readonly link: WordsLink | null;
}

/** The column that links to the row with the field, and the table of that row. */
export interface WordsLink {
  readonly column: string;
  readonly table: string;
  /** Set for a list of links: the words are those of every linked row. */
  readonly list?: true;
}

/** Counts the rows with a value; if the value is null, counts the rows by owner, for each value of the column. */
export interface Count {
  readonly column: string;
  readonly value: string | null;
}

/** The table of that name; throws if it does not exist, because changes refer to existing tables. */
export function tableIn({ tables }: Schema, name: string): Table {
  return foundOr(
    tables.find((table) => table.name === name),
    `the table ${name}`,
  );
}

export function columnIn({ name: table, columns }: Table, name: string): Column {
  return foundOr(
    columns.find((column) => column.name === name),
    `the column ${table}.${name}`,
  );
}

/** The column of the id. */
export function idColumnOf({ name: table, columns }: Pick<Table, "name" | "columns">): Column {
  const named = columns.find(({ id }) => id !== undefined);
  const usual = columns.find(({ name, field }) => name === "id" && field === null);
  return foundOr(named ?? usual, `the id of ${table}`);
}

function foundOr<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`a change refers to ${what}, which does not exist`);
  return found;
}

/** Whether two indexes are the same. */
export function isSame(one: Index, other: Index): boolean {
  return (
    one.unique === other.unique &&
    one.expression?.name === other.expression?.name &&
    one.expression?.sql === other.expression?.sql &&
    one.keys.length === other.keys.length &&
    one.keys.every(({ column, order }, at) => {
      const key = other.keys[at];
      return key?.column === column && key.order === order;
    })
  );
}

/** Whether an index treats texts that differ only in case as equal. */
export function isFolded({ order }: { readonly order: Key["order"] | undefined }): boolean {
  return order === "folded" || order === "folded digest";
}

/** Whether two links refer to the same table. */
export function isSameTarget(one: Link | null, other: Link | null): boolean {
  return one?.schema === other?.schema && one?.table === other?.table;
}

/** Whether another unique index on some of the same columns already makes the values of an index unique. */
export function isUniqueAlready({ indexes }: Table, { keys, expression }: Index): boolean {
  if (expression !== undefined) return false;
  const orders = new Map(keys.map(({ column, order }) => [column, order]));
  return indexes.some(
    (index) =>
      index.unique &&
      index.expression === undefined &&
      index.keys.every(
        (key) =>
          orders.has(key.column) && (isFolded(key) || !isFolded({ order: orders.get(key.column) })),
      ),
  );
}
