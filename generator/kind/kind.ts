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
  /** Names of the kind in other tools, and what to write instead: `datetime` → `{ type: timestamp }`. */
  readonly otherNames: Readonly<Record<string, string>>;
  /** A complete field with its required options, for hints: `{ type: enum, values: [draft, live] }`. */
  readonly example: string;

  /** All options of a field of this kind, including the common ones. */
  readonly options: z.ZodObject;
  /** Whether a field can be a list of such values: see `list/list.ts`. */
  readonly canBeListed: boolean;
  readonly isList: boolean;
  /**
   * Finds conflicts between valid options. Malformed and missing options are omitted, so that one mistake does not hide
   * another.
   */
  check(options: Partial<O>): readonly OptionProblem[];
  field(common: CommonField, options: O, linkTo: LinkTo): F;
  /** Returns the target of a field with these options, which may be invalid; null for none. */
  relation(options: Options): Relation | null;
  /** The profile that processes the field's pictures; null if there is none, or it is malformed. */
  profile(options: Options): string | null;
  /**
   * Returns the field with the alternative text of this field's pictures; null if there is none, or it is malformed.
   */
  alt(options: Options): string | null;
  /** Returns the current names of renamed values, by former name. */
  renamed(field: F): Readonly<Record<string, string>>;

  /**
   * Returns the options specific to this kind, for `GET /api/_service/resources` and the uploads in `routes.ts`. Unset
   * options are null.
   */
  describe(field: F): Readonly<Record<string, Literal>>;
  /** Returns the TypeScript type of a non-null value. */
  typescript(field: F): TypeExpression;
  /** Returns the `openapi.json` schema of a non-null value. */
  schema(field: F): ValueSchema;
  /** Returns the validator in `runtime/resource/table/kinds/` for a value in a request. */
  validation(field: F): Call;

  /** How expressions use the kind's values and can compute them; null if they cannot. */
  readonly computing: Computing<F> | null;

  /** How `filter` and `where` compare the kind's values; null if lists can neither filter nor sort by them. */
  readonly condition: Condition | null;
  /** Whether `where` can compare parts of values: `has`, and members by `at`. */
  readonly hasMembers: boolean;
  /** The aggregations that `_aggregate` offers for the kind's values. */
  aggregations(field: F): readonly Aggregation[];
  /** Whether a request can select the beginning of a value: `description:200`. */
  readonly canBeCut: boolean;
  /** Whether a PATCH can add to a value: `{ "add": -1 }`, or to a list: `{ "add": ["new"] }`. */
  readonly isAddable: boolean;
  /** Whether included records omit the field. */
  readonly isLong: boolean;
  /** Whether a field of the kind can be a record's title: alone, only with other fields, or not at all (null). */
  readonly title: "alone" | "together" | null;
  /** Whether values can be account ids in an app that handles sign-in itself. */
  readonly namesAccount: boolean;
  /** Whether values can be roles of members; `values` lists them. */
  readonly namesRole: boolean;

  /** Returns the column's type with its collation, and the check constraint on its values. */
  sql(field: F): ColumnDefinition;
  /** The column's foreign key; null for none. */
  link(field: F): Link | null;
  /** Returns what the links or files in a list refer to; null for any other column. */
  entries(field: F): Entries | null;
  /** The value stored if none is given and the field cannot be null; null if the field is then null. */
  readonly emptyValue: EmptyValue | null;
  /** Whether values are storage keys of uploads, whose details the record contains too. */
  readonly isFile: boolean;
  /**
   * Returns the column in `table.ts`, a kind of `runtime/resource/table/kinds/kinds.ts`; `stored` is the type of an
   * adopted column.
   */
  runtimeColumn(field: F, stored?: string): Readonly<Record<string, Literal>>;

  /**
   * The index of a field that is not unique: `list` supports a filtered list with the newest records first, `plain`
   * only finds rows; null for no index.
   */
  readonly index: "list" | "plain" | null;
  /** Whether an index finds the rows whose values contain another value. */
  memberIndex(field: F): boolean;
  /** Whether `q` searches the field. */
  readonly isSearched: boolean;
  /** Whether values can be languages of full-text search; `values` lists them. */
  readonly namesLanguage: boolean;
  /** Whether full-text search can index the words of values. */
  readonly hasWords: boolean;
  /** How lists highlight matches in values: in the complete value or in fragments; null if they do not. */
  readonly highlight: "whole" | "fragments" | null;
  /** Whether lists sort by the column itself, so that they can use an index on it. */
  readonly isSortedAsStored: boolean;
  /** The values, as strings, whose rows a tally counts separately; empty for kinds other than boolean and enum. */
  counted(field: F): readonly string[];
  /** Returns the maximum size of a value in an index key, in bytes; null if the kind cannot be indexed. */
  keyBytes(options: Partial<O>): number | null;
  /** The hint for a field without `keyBytes` in `unique` or `indexes`. */
  readonly unindexedHint: string;
  /** Returns the maximum space that a value occupies in its row. */
  inRow(options: Partial<O>): InRow;

  /** Describes the content of a column of that SQL type, including an article: `a date`. */
  words(type: string): string;
  /** Returns the string form of a column of that SQL type. */
  textForm(type: string): TextForm;
  /** Returns a conversion that does not use string forms; null if there is none. */
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

/** A field's options as its author wrote them; all are well-formed. */
export type Options = Readonly<Record<string, unknown>>;

export interface OptionProblem {
  /** Path below the field: `["default"]`, `["values", 3]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** Finds the table of a resource by its name, as in `resource: categories`. */
export type LinkTo = (resource: string) => LinkTarget;

/** A link as described by the field's options. */
export interface Relation {
  readonly to: string;
  readonly required: boolean;
  /** Whether the linking record is deleted with the target. */
  readonly cascades: boolean;
  /** The name under which the target's records list the records that link to them. */
  readonly inverse: string | null;
  /**
   * For a list of links, the name of the linked records in queries, null if the author has not named them; omitted for
   * a single link.
   */
  readonly list?: { readonly as: string | null };
}

/** A value that represents an empty field. */
export interface EmptyValue {
  readonly sql: string;
  readonly literal: Literal;
}

/** How `filter` and `where` compare a field. */
export interface Condition {
  readonly comparisons: Comparisons;
  /** The condition's name in `openapi.json` and the schema of its value; null if each field has different values. */
  readonly shared: { readonly name: string; readonly value: Schema } | null;
  /** The condition's type in `client.ts`. If it is not shared, the type of the values is its parameter. */
  readonly type: string;
}

/** The JSON Schema of a kind's values. */
export interface ValueSchema {
  /** The schema of a value in a response. */
  readonly shown: Schema;
  /** Additional rules for the value in a write request. */
  readonly rules?: Schema;
  /** An example value that satisfies both; null if none can be derived. */
  readonly example: Literal;
}

export type Schema = { readonly [keyword: string]: Literal };

/** A validator call with one argument, or without arguments if `argument` is null. */
export interface Call {
  /** One of the names in `model/runtime-symbols.ts`. */
  readonly validator: string;
  /** The validator of an element, passed before the argument. */
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
