import type { JsonValue as StoredJson } from "../values/stored-json/rules.js";

/** Any JSON value; null for an empty field. */
export type JsonValue = StoredJson;

/**
 * Conditions on the records of a resource, by field: `where` in queries. The emitted types add links and inverses, and
 * pass themselves as `Self`.
 */
export type RecordWhere<Record, Self> = JoinedWhere<Self> & {
  readonly [Key in Exclude<ComparedKey<Record>, keyof JoinedWhere<Self>>]?: Condition<Record[Key]>;
} & {
  readonly [Key in ComparedKey<Record> as `field:${Key}`]?: Condition<Record[Key]>;
};

/** Conditions on a linked account. */
export interface AccountWhere extends RecordWhere<{ id: string; name: string }, AccountWhere> {}

/** Conditions on the records that link to this one. */
export interface InverseWhere<Where> {
  /** At least one linked record meets the conditions. */
  readonly some?: Where;
  /** No linked record meets the conditions. */
  readonly none?: Where;
}

/** Conditions on a list of links: the id of a record in it, null for an empty list, or operators. */
export type LinksWhere =
  | string
  | null
  | (Equality<string> & {
      /** The list contains all of 1 to 100 ids. */
      readonly all?: readonly string[];
    });

/** Conditions on a list of files: null finds empty lists, `{ ne: null }` all others. */
export type FilesWhere = null | { readonly ne: null };

interface JoinedWhere<Self> {
  readonly and?: readonly Self[];
  readonly or?: readonly Self[];
  readonly not?: Self;
}

type Values = string | number | boolean;

/** The fields that can be compared: all except details of files. */
type ComparedKey<Record> = {
  [Key in keyof Record]: NonNullable<Record[Key]> extends Values
    ? Key
    : NonNullable<Record[Key]> extends readonly Values[]
      ? Key
      : never;
}[keyof Record] &
  string;

/** The names of links and inverses. */
export type RelationOf<Record, Where> = [keyof Where] extends [never]
  ? string
  : Exclude<keyof Where, keyof Record | keyof JoinedWhere<unknown> | `field:${string}`> & string;

/** The names of fields up to two links away by which lists can be sorted, such as `customer.name`. */
export type LinkedField<Where> = Behind<Where, "one">;

type Behind<Where, Further> = {
  [Link in LinkOf<Where>]: `${Link}.${FieldIn<NonNullable<Where[Link]>, Further>}`;
}[LinkOf<Where>];

type FieldIn<Where, Further> =
  | (keyof Where extends infer Key ? (Key extends `field:${infer Name}` ? Name : never) : never)
  | (Further extends "one" ? Behind<Where, "none"> : never);

/** The names of links: only conditions on a record can be combined with `and`. */
type LinkOf<Where> = {
  [Key in keyof Where]-?: "and" extends keyof NonNullable<Where[Key]> ? Key : never;
}[Exclude<keyof Where, keyof JoinedWhere<unknown>>] &
  string;

/** A value, null for an empty field, or operators. */
type Condition<Value> = [Value] extends [readonly (infer Element)[]]
  ? ListCondition<Element>
  : ValueCondition<Value>;

/** Null for an empty list, or operators. */
type ListCondition<Element> =
  | null
  | (Elements<Element> & (string extends Element ? { readonly contains?: string } : unknown));

interface Elements<Element> {
  /** Null finds lists that are not empty. */
  readonly ne?: null;
  /** The list contains the value. */
  readonly has?: Element;
  /** The list contains at least one of 1 to 100 values. */
  readonly hasAny?: readonly Element[];
  /** The list contains all of 1 to 100 values. */
  readonly hasAll?: readonly Element[];
}

type ValueCondition<Value> =
  | Value
  | null
  | (Equality<NonNullable<Value>> & Order<NonNullable<Value>> & Texts<NonNullable<Value>>);

interface Equality<Value> {
  /** Not equal to the value, or empty; null finds fields with a value. */
  readonly ne?: Value | null;
  /** Equal to one of 1 to 100 values; null matches empty fields. */
  readonly in?: readonly (Value | null)[];
  /** Equal to none of 1 to 100 values; null matches empty fields. */
  readonly nin?: readonly (Value | null)[];
}

/** Comparisons, which never match empty fields. Strings are compared in the order used by `sort`. */
interface Ordered<Value> {
  readonly gt?: Value;
  readonly gte?: Value;
  readonly lt?: Value;
  readonly lte?: Value;
}

/** Comparisons for numbers and strings, including times; enums and booleans have no order. */
type Order<Value> = Value extends number
  ? Ordered<number>
  : string extends Value
    ? Ordered<string>
    : unknown;

/** Conditions on strings, ignoring case and accents; up to 200 characters, without wildcards. */
type Texts<Value> = string extends Value
  ? {
      readonly contains?: string;
      readonly starts?: string;
      readonly ends?: string;
      /** Equal, ignoring case; for fields with `unique: any-case`. */
      readonly same?: string;
    }
  : unknown;

/**
 * Conditions on a JSON value; null for an empty field. `at` is the path of a member: keys and list indexes, joined by
 * dots, such as `lines.0.name`. A missing member counts as empty.
 */
export type JsonCondition = null | {
  /** The value contains this one: all its members, and all elements of its lists. */
  readonly has?: JsonValue;
  readonly at?: string;
  readonly eq?: Scalar;
  readonly ne?: Scalar;
  readonly in?: readonly Scalar[];
  readonly nin?: readonly Scalar[];
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
  readonly contains?: string;
  readonly starts?: string;
  readonly ends?: string;
};

type Scalar = string | number | boolean | null;
