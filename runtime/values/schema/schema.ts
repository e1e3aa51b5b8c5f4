import type { JsonSchema } from "../json-schema/schema.js";
import type { Check } from "./check.js";
import type { FieldKind } from "./field-kinds.js";

/**
 * The tables of a model as plain values, stored in `migrations/schema.json`. Names are unquoted. Those of constraints,
 * indexes and tallies derive from the names of tables and columns (`object-names.ts`), so that a rename changes them
 * too.
 */
export interface Schema {
  /** Sorted by name. */
  readonly tables: readonly Table[];
}

export const emptySchema: Schema = { tables: [] };

export interface Table {
  readonly name: string;
  /** The resource of the table. */
  readonly resource: string;
  /** In database order: columns added later follow `created_at` and `updated_at`. */
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  /** The values for which rows are counted, besides all rows; null if there is no tally. */
  readonly counts: readonly Count[] | null;
  /** Columns whose text is searched. */
  readonly search: readonly string[];
  /** Set if all changes of rows are logged. */
  readonly logged?: true;
  /** Set if deleted rows go to the trash. */
  readonly trash?: true;
  /** Set if words of rows are indexed. */
  readonly words?: Words;
  /**
   * All columns of the table, if it existed before the app did. Migrations then change only objects that belong to the
   * table, not the table itself.
   */
  readonly adopted?: readonly AdoptedColumn[];
  /** Set for a view or a partitioned table, for which PostgreSQL returns no row version. */
  readonly unversioned?: true;
}

/** A column of an adopted table, as found in the database. */
export interface AdoptedColumn {
  readonly name: string;
  /** The base type of a domain; for an array, that of its elements followed by `[]`. */
  readonly type: string;
  /** Set if the column is never null. */
  readonly required?: true;
  /** The type to which statements cast values; left out if the app itself creates columns of this type. */
  readonly cast?: string;
  /** Set for a link whose foreign key has not been validated, so that its target may be missing. */
  readonly dangling?: true;
}

export interface Column {
  readonly name: string;
  /** The field and, below it, the kind of field; null for the columns of the id and of the record's times. */
  readonly field: string | null;
  readonly kind: FieldKind | null;
  /** Which time of the record the column stores; left out for fields, and for a column with the default name. */
  readonly time?: "createdAt" | "updatedAt";
  /**
   * Set for the column of the id unless it is a UUID in a column `id`: `identity` if the database numbers the rows,
   * otherwise `key`.
   */
  readonly id?: "identity" | "key";
  /** SQL, including a collation. */
  readonly type: string;
  readonly required: boolean;
  /** SQL; null without a default value. */
  readonly default: string | null;
  readonly check: Check | null;
  readonly link: Link | null;
  /** The target of a list of links or of files; left out for other columns. */
  readonly entries?: Entries;
  /** The JSON Schema that written values must satisfy; left out if there is none. */
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
  /** A required link prevents the deletion of its target, or is deleted with it; an optional one is cleared. */
  readonly onDelete: "no action" | "cascade" | "set null";
}

export interface Index {
  readonly unique: boolean;
  /** The indexed columns; for an expression, the columns that it uses. */
  readonly keys: readonly Key[];
  /** Left out if the index is on columns. */
  readonly expression?: IndexExpression;
}

/** The indexed expression of a computed field. */
export interface IndexExpression {
  /** Replaces a column's name in the name of the index: `total`. */
  readonly name: string;
  /** SQL with placeholders for the columns of the keys: see `withColumns`. */
  readonly sql: string;
}

export interface Key {
  readonly column: string;
  /**
   * `digest` is for text that may exceed the size limit of an index; `folded` ignores case. `contained` finds JSON by
   * containment, and `elements` lists by their elements; an index with either has no other key.
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

/** What full-text search indexes for a table's rows. */
export interface Words {
  /** A text search configuration; null if a column contains its name. */
  readonly language: string | null;
  readonly languageColumn: string | null;
  /** All languages that a row may have. */
  readonly languages: readonly string[];
  readonly accents: "keep" | "ignore";
  /** Fields of the same group are adjacent. */
  readonly fields: readonly WordsField[];
}

export interface WordsField {
  readonly column: string;
  readonly weight: "A" | "B" | "C" | "D";
  /** The number of the group; fields in a group may be read by the same callers. */
  readonly group: number;
  /** Set for a list, whose elements are indexed. */
  readonly list?: true;
  /** Null for a field of the row itself. */
  readonly link: WordsLink | null;
}

/** The column that links to the row with the field, and that row's table. */
export interface WordsLink {
  readonly column: string;
  readonly table: string;
  /** Set for a list of links: the words of every linked row are indexed. */
  readonly list?: true;
}

/** Counts the rows with a value. If the value is null, counts the rows by owner: for each value of the column. */
export interface Count {
  readonly column: string;
  readonly value: string | null;
}

/** Returns the table with that name. Throws if it does not exist, since changes refer to existing tables. */
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

/** Whether an index ignores the case of texts. */
export function isFolded({ order }: { readonly order: Key["order"] | undefined }): boolean {
  return order === "folded" || order === "folded digest";
}

export function isSameTarget(one: Link | null, other: Link | null): boolean {
  return one?.schema === other?.schema && one?.table === other?.table;
}

/**
 * Whether another unique index, on some of the same columns, already ensures that the values of an index are unique.
 */
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
