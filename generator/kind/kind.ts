import type { z } from "zod";
import type { Aggregation } from "../../runtime/values/aggregations.js";
import type { JsonSchema } from "../../runtime/values/json-schema/schema.js";
import type { Comparisons } from "../../runtime/values/operators.js";
import type { Check } from "../../runtime/values/schema/check.js";
import type { Entries, Link } from "../../runtime/values/schema/schema.js";
import type { Literal } from "../text/typescript.js";
import type { Conversion, StoredColumn, TextForm } from "./column/conversion.js";
import type { InRow } from "./column/row.js";
import type { CommonField, LinkTarget } from "./field.js";
import type { Computing } from "./option/computing.js";
import type { TypeExpression } from "./schema/type-expression.js";

/** Everything about one kind of field: its notation, validation, type, storage and conversion. */
export interface Kind<F extends KindField, O extends Options = Options> {
  /** The word in `type: string`. */
  readonly name: F["kind"];
  /** Other tools' names for the kind, and what to write here: `datetime` → `{ type: timestamp }`. */
  readonly otherNames: Readonly<Record<string, string>>;
  /** A whole field with its required options, for hints: `{ type: enum, values: [draft, live] }`. */
  readonly example: string;

  /** All options of a field of this kind, including the common ones. */
  readonly options: z.ZodObject;
  /** Whether values can be lists of such values: see `list/list.ts`. */
  readonly canBeListed: boolean;
  /** Whether values are lists. */
  readonly isList: boolean;
  /**
   * Conflicts between well-formed options. Malformed and missing options are left out, so that one
   * mistake does not hide another.
   */
  check(options: Partial<O>): readonly OptionProblem[];
  field(common: CommonField, options: O, linkTo: LinkTo): F;
  /** The target of a field with these options, well-formed or not; null for none. */
  relation(options: Options): Relation | null;
  /** The profile that processes the field's pictures; null if there is none, or it is malformed. */
  profile(options: Options): string | null;
  /** The field with the descriptions of this field's pictures; null if there is none, or it is malformed. */
  alt(options: Options): string | null;
  /** The current names of renamed values, by their former names. */
  renamed(field: F): Readonly<Record<string, string>>;

  /**
   * The options specific to this kind, as `GET /api/_service/resources` shows them and `routes.ts`
   * names them for an upload; null for one that is not set.
   */
  describe(field: F): Readonly<Record<string, Literal>>;
  /** The TypeScript type of a value that is present. */
  typescript(field: F): TypeExpression;
  /** The `openapi.json` schema of a value that is present. */
  schema(field: F): ValueSchema;
  /** The validator in `runtime/resource/table/kinds/` for a request's value. */
  validation(field: F): Call;

  /** How expressions use and compute the kind's values; null if they cannot. */
  readonly computing: Computing<F> | null;

  /**
   * How `filter` and `where` compare the kind's values; null if lists neither filter nor sort by
   * them.
   */
  readonly condition: Condition | null;
  /** Whether `where` reaches into values: `has`, and members by `at`. */
  readonly hasMembers: boolean;
  /** The aggregations that `_aggregate` offers for the kind's values. */
  aggregations(field: F): readonly Aggregation[];
  /** Whether a request may ask for the beginning of a value: `description:200`. */
  readonly canBeCut: boolean;
  /** Whether a PATCH may add to a value: `{ "add": -1 }`, or to a list `{ "add": ["new"] }`. */
  readonly isAddable: boolean;
  /** Whether included records omit the field. */
  readonly isLong: boolean;
  /** How a field of the kind can serve as a record's title: alone, only with other fields, or not at all (null). */
  readonly title: "alone" | "together" | null;
  /** Whether values can be account ids of an app with its own sign-in. */
  readonly namesAccount: boolean;
  /** Whether values can be members' roles, which `values` lists. */
  readonly namesRole: boolean;

  /** The column's type with its collation, and the check on its values. */
  sql(field: F): ColumnDefinition;
  /** The column's foreign key; null for none. */
  link(field: F): Link | null;
  /** What a list's links or files refer to; null for any other column. */
  entries(field: F): Entries | null;
  /** The value stored if none is given and the field cannot be null; null if the field becomes null. */
  readonly emptyValue: EmptyValue | null;
  /** Whether values are storage keys of uploads, whose details the record shows too. */
  readonly isFile: boolean;
  /** The column in `table.ts`, a kind of `runtime/resource/table/kinds/kinds.ts`; `stored` is an adopted column's type. */
  runtimeColumn(field: F, stored?: string): Readonly<Record<string, Literal>>;

  /**
   * The index of a field that is not unique: `list` serves a filtered list with the newest records
   * first, `plain` only finds rows; null for no index.
   */
  readonly index: "list" | "plain" | null;
  /** Whether an index finds the rows whose values contain another. */
  memberIndex(field: F): boolean;
  /** Whether `q` searches the field. */
  readonly isSearched: boolean;
  /** Whether values can be languages of full-text search, which `values` lists. */
  readonly namesLanguage: boolean;
  /** Whether full-text search can index the words of values. */
  readonly hasWords: boolean;
  /** How lists highlight the words of values that a search finds: whole, or only fragments; null if they do not. */
  readonly highlight: "whole" | "fragments" | null;
  /** Whether lists sort by the column itself, so that an index on it serves them. */
  readonly isSortedAsStored: boolean;
  /** The values, as strings, whose rows a tally counts separately; empty for kinds other than boolean and enum. */
  counted(field: F): readonly string[];
  /** The largest size of a value in the key of an index, in bytes; null if it cannot be in one. */
  keyBytes(options: Partial<O>): number | null;
  /** The hint for a field without `keyBytes` in `unique` or `indexes`. */
  readonly unindexedHint: string;
  /** The largest space that a value takes in its row. */
  inRow(options: Partial<O>): InRow;

  /** Describes the content of a column of that SQL type, with an article: `a date`. */
  words(type: string): string;
  /** The texts of a column of that SQL type. */
  textForm(type: string): TextForm;
  /** The conversion that does not go through texts; null if there is none. */
  convert(from: StoredColumn, to: StoredColumn): Conversion | null;
}

/** Defaults of most kinds; a kind spreads them first and overrides what differs. */
export const kindDefaults = {
  otherNames: {},
  canBeListed: false,
  isList: false,
  check: (): readonly OptionProblem[] => [],
  relation: (): Relation | null => null,
  profile: (): string | null => null,
  alt: (): string | null => null,
  renamed: (): Readonly<Record<string, string>> => ({}),
  describe: (): Readonly<Record<string, Literal>> => ({}),
  computing: null,
  hasMembers: false,
  memberIndex: () => false,
  aggregations: (): readonly Aggregation[] => [],
  canBeCut: false,
  isAddable: false,
  isLong: false,
  title: "together" as const,
  namesAccount: false,
  namesRole: false,
  link: (): Link | null => null,
  entries: (): Entries | null => null,
  emptyValue: null,
  isFile: false,
  runtimeColumn: ({ kind }: KindField): Readonly<Record<string, Literal>> => ({ kind }),
  index: null,
  isSearched: false,
  namesLanguage: false,
  hasWords: false,
  highlight: null,
  isSortedAsStored: true,
  counted: (): readonly string[] => [],
  unindexedHint: "leave it out",
  convert: (): Conversion | null => null,
};

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
  /** Whether the record with the link is deleted with the target. */
  readonly cascades: boolean;
  /** The target's name for the records that link to it. */
  readonly inverse: string | null;
  /** For a list of links, what queries call the linked records, if the author has named them; left out for one link. */
  readonly list?: { readonly as: string | null };
}

/** A value that means that a field is empty. */
export interface EmptyValue {
  readonly sql: string;
  readonly literal: Literal;
}

/** How `filter` and `where` compare a field. */
export interface Condition {
  readonly comparisons: Comparisons;
  /**
   * The condition's name in `openapi.json` and its value's schema; null if each field has its own
   * values.
   */
  readonly shared: { readonly name: string; readonly value: Schema } | null;
  /**
   * The condition's type in `client.ts`; if it is not shared, with the type of the values as its
   * parameter.
   */
  readonly type: string;
}

/** JSON Schema of a kind's values. */
export interface ValueSchema {
  /** The schema of a value as records show it. */
  readonly shown: Schema;
  /** Further rules for the value of a write. */
  readonly rules?: Schema;
  /** A value that fulfils both, for examples; null if none can be made up. */
  readonly example: Literal;
}

export type Schema = { readonly [keyword: string]: Literal };

/** A call of a validator with one argument, or without arguments if `argument` is null. */
export interface Call {
  /** One of the names in `model/runtime-symbols.ts`. */
  readonly validator: string;
  /** The validator of an element, which comes before the argument. */
  readonly of?: Call;
  readonly argument: Argument | null;
  /**
   * Whether the validator accepts null itself; otherwise the validator of an optional field is made
   * nullable.
   */
  readonly takesNull?: boolean;
}

export type Argument = readonly string[] | Readonly<Record<string, Literal>>;

export interface ColumnDefinition {
  readonly type: string;
  readonly check: Check | null;
  /** The JSON Schema of values; omitted if there is none. */
  readonly schema?: JsonSchema;
}
