import type { JsonSchema } from "../json-schema/schema.js";
import type { Check } from "./check.js";
import type { FieldKind } from "./field-kinds.js";
import type { AdoptedColumn, Column, Count, Entries, Index, Link, Table, Words } from "./schema.js";

/** One step between schemas; a migration is a list of them. */
export type Change =
  | { readonly kind: "renameTable"; readonly table: string; readonly to: NewTableName }
  | ({ readonly kind: "renameColumn"; readonly to: NewColumnName } & OfColumn)
  | ({ readonly kind: "renameValue"; readonly value: string; readonly to: string } & OfColumn)
  | { readonly kind: "createTable"; readonly table: Table }
  | { readonly kind: "dropTable"; readonly table: string }
  | AddColumn
  | ({ readonly kind: "dropColumn" } & OfColumn)
  | ReplaceColumn
  | SetPart<"setKind", FieldKind | null>
  | SetPart<"setDefault", string | null>
  | SetPart<"setRequired", boolean>
  | SetPart<"setCheck", Check | null>
  | SetPart<"setLink", Link | null>
  | SetPart<"setEntries", Entries | null>
  | SetPart<"setSchema", JsonSchema | null>
  | MovePairs
  | { readonly kind: "createIndex"; readonly table: string; readonly index: Index }
  | { readonly kind: "dropIndex"; readonly table: string; readonly index: Index }
  /** With null, the rows of an adopted table are no longer counted. */
  | { readonly kind: "setTally"; readonly table: string; readonly to: readonly Count[] | null }
  | { readonly kind: "setSearch"; readonly table: string; readonly to: readonly string[] }
  | { readonly kind: "setLog"; readonly table: string; readonly to: boolean }
  | { readonly kind: "setTrash"; readonly table: string; readonly to: boolean }
  | { readonly kind: "setWords"; readonly table: string; readonly to: Words | null };

/** `adopted` describes a column that an adopted table got after its adoption. */
interface AddColumn {
  readonly kind: "addColumn";
  readonly table: string;
  readonly column: Column;
  readonly adopted?: AdoptedColumn;
}

interface OfColumn {
  readonly table: string;
  readonly column: string;
}

interface NewTableName {
  readonly name: string;
  readonly resource: string;
}

interface NewColumnName {
  readonly name: string;
  readonly field: string;
}

/** `from` distinguishes consecutive changes from independent ones on two branches. */
interface SetPart<Kind extends string, Part> extends OfColumn {
  readonly kind: Kind;
  readonly from: Part;
  readonly to: Part;
}

/** Fills the entries of a list of links from the rows of a join table, or the reverse. */
interface MovePairs extends OfColumn {
  readonly kind: "movePairs";
  readonly into: "entries" | "rows";
  /** The join table, and its columns that refer to the record and to the listed target. */
  readonly pairs: { readonly table: string; readonly record: string; readonly target: string };
}

/** Changes a column's type: converts the values, and rebuilds the column's constraints and indexes. */
interface ReplaceColumn {
  readonly kind: "replaceColumn";
  readonly table: string;
  readonly from: Column;
  /** The new column, which has the same name. */
  readonly column: Column;
  /** All indexes that include the new column. */
  readonly indexes: readonly Index[];
}

export type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;
