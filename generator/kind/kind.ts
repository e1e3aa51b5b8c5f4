import type { z } from "zod";
import type { Aggregation } from "../../runtime/values/aggregations.js";
import type { Comparisons } from "../../runtime/values/operators.js";
import type { Check } from "../../runtime/values/schema/check.js";
import type { Link } from "../../runtime/values/schema/schema.js";
import type { Literal } from "../text/typescript.js";
import type { Conversion, StoredColumn, TextForm } from "./column/conversion.js";
import type { InRow } from "./column/row.js";
import type { CommonField, LinkTarget } from "./field.js";

/** Everything about one kind of field: how it is written, checked, typed, stored and converted. */
export interface Kind<F extends KindField, O extends Options = Options> {
  /** The word in `type: string`. */
  readonly name: F["kind"];
  /** What other tools call it, and what to write here: `datetime` → `{ type: timestamp }`. */
  readonly otherNames: Readonly<Record<string, string>>;
  /** A whole field with what it needs, for hints: `{ type: enum, values: [draft, live] }`. */
  readonly example: string;

  /** Every option that such a field takes, including the common ones. */
  readonly options: z.ZodObject;
  /**
   * What is wrong between options that are each well written. Malformed and missing ones are not
   * among them, so that one mistake does not hide another.
   */
  check(options: Partial<O>): readonly OptionProblem[];
  /** The field that the options describe. */
  field(common: CommonField, options: O, linkTo: LinkTo): F;
  /** Where a field with these options leads to, whether or not they are well written; null for nowhere. */
  relation(options: Options): Relation | null;
  /** The profile by which its pictures are processed; null where there are none, or it is not well written. */
  profile(options: Options): string | null;
  /** The field that has the words for its pictures; null where there is none, or it is not well written. */
  alt(options: Options): string | null;
  /** What values of former versions are called now, by their former names. */
  renamed(field: F): Readonly<Record<string, string>>;

  /**
   * The options that only this kind has, as `GET /api/_service/resources` shows them and `routes.ts`
   * names them for an upload; null for one that is not set.
   */
  describe(field: F): Readonly<Record<string, Literal>>;
  /** The type of a value that is present. */
  typescript(field: F): TypeExpression;
  /** What `openapi.json` says of a value that is present. */
  schema(field: F): ValueSchema;
  /** The validator in `runtime/resource/table/kinds/` that a request's value goes through. */
  validation(field: F): Call;

  /** How `filter` and `where` compare its values; null where lists are neither filtered nor sorted by them. */
  readonly condition: Condition | null;
  /** What `_aggregate` makes of its values. */
  aggregations(field: F): readonly Aggregation[];
  /** Whether a value may be requested without its end: `description:200`. */
  readonly canBeCut: boolean;
  /** Whether a PATCH may add to a value: `{ "add": -1 }`. */
  readonly isAddable: boolean;
  /** Whether records inside others leave it out. */
  readonly isLong: boolean;
  /** How it can name its records: alone, only beside other fields, or, where null, not at all. */
  readonly title: "alone" | "together" | null;
  /** Whether values can be the ids of accounts of an app with a sign-in of its own. */
  readonly namesAccount: boolean;
  /** Whether values can be the roles of members, which `values` lists. */
  readonly namesRole: boolean;

  /** The column's type with its collation, and the rule which its values keep. */
  sql(field: F): ColumnDefinition;
  /** The column's foreign key; null for none. */
  link(field: F): Link | null;
  /** Whether values are storage keys of uploads, whose details the record shows as well. */
  readonly isFile: boolean;
  /** The column in `table.ts`: its kind is one of `runtime/resource/table/kinds/kinds.ts`. */
  runtimeColumn(field: F): Readonly<Record<string, Literal>>;

  /**
   * The index of a field that is not unique: `list` serves a filtered list with the newest records
   * first, `plain` finds rows only; null for no index.
   */
  readonly index: "list" | "plain" | null;
  /** Whether `q` searches it. */
  readonly isSearched: boolean;
  /** Whether lists sort by the column itself, which an index of it then serves. */
  readonly isSortedAsStored: boolean;
  /** The values whose rows a tally counts, as texts; none where these are not few. */
  counted(field: F): readonly string[];
  /** The most bytes that a value takes in the key of an index; null where it cannot be in one. */
  keyBytes(options: Partial<O>): number | null;
  /** What to do about a field without `keyBytes` in `unique` or `indexes`. */
  readonly unindexedHint: string;
  /** The most that a value takes in its row. */
  inRow(options: Partial<O>): InRow;

  /** What a column of that SQL type holds, in words with their article: `a date`. */
  words(type: string): string;
  /** The texts of a column of that SQL type. */
  textForm(type: string): TextForm;
  /** The conversion that does not go through texts; null where there is none. */
  convert(from: StoredColumn, to: StoredColumn): Conversion | null;
}

/** What most kinds have in common; a kind spreads it first and overrides what differs. */
export const kindDefaults = {
  otherNames: {},
  check: (): readonly OptionProblem[] => [],
  relation: (): Relation | null => null,
  profile: (): string | null => null,
  alt: (): string | null => null,
  renamed: (): Readonly<Record<string, string>> => ({}),
  describe: (): Readonly<Record<string, Literal>> => ({}),
  aggregations: (): readonly Aggregation[] => [],
  canBeCut: false,
  isAddable: false,
  isLong: false,
  title: "together" as const,
  namesAccount: false,
  namesRole: false,
  link: (): Link | null => null,
  isFile: false,
  runtimeColumn: ({ kind }: KindField): Readonly<Record<string, Literal>> => ({ kind }),
  index: null,
  isSearched: false,
  isSortedAsStored: true,
  counted: (): readonly string[] => [],
  unindexedHint: "leave it out",
  convert: (): Conversion | null => null,
};

/** A field of any kind. */
export interface KindField extends CommonField {
  readonly kind: string;
}

/** A field's options as its author wrote them, each well-formed. */
export type Options = Readonly<Record<string, unknown>>;

export interface OptionProblem {
  /** Inside the field: `["default"]`, `["values", 3]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** Finds the table of a resource by its name, as in `resource: categories`. */
export type LinkTo = (resource: string) => LinkTarget;

/** A link as its options describe it. */
export interface Relation {
  readonly to: string;
  readonly required: boolean;
  /** Whether its record is deleted with the one it leads to. */
  readonly cascades: boolean;
  /** What its target's records call the records that link to them. */
  readonly inverse: string | null;
}

/** How a field is compared in `filter` and `where`. */
export interface Condition {
  readonly comparisons: Comparisons;
  /** What `openapi.json` calls it, and the value in it; null where each field has its own values. */
  readonly shared: { readonly name: string; readonly value: Schema } | null;
  /** Its type in `client.ts`; where it is not shared, with the type of the values as its parameter. */
  readonly type: string;
}

/** A type's name, or the texts that it is a union of. */
export type TypeExpression = { readonly name: string } | { readonly union: readonly string[] };

/** JSON Schema of a kind's values. */
export interface ValueSchema {
  /** The schema of a value as records show it. */
  readonly shown: Schema;
  /** What a write's value has to keep besides. */
  readonly rules?: Schema;
  /** A value that keeps all of them, for examples; null where none can be made up. */
  readonly example: string | number | boolean | null;
}

/** A JSON Schema, or a part of one. */
export type Schema = { readonly [keyword: string]: Literal };

/** A call of a validator with one argument; null is a call without any. */
export interface Call {
  /** One of the names in `model/runtime-symbols.ts`. */
  readonly validator: string;
  readonly argument: Argument | null;
  /** Whether it takes null itself; that of an optional field is made nullable otherwise. */
  readonly takesNull?: boolean;
}

export type Argument =
  | readonly string[]
  | Readonly<Record<string, string | number | true | readonly string[]>>;

export interface ColumnDefinition {
  readonly type: string;
  readonly check: Check | null;
}
