import type { z } from "zod";
import type { CommonField, Field, LinkTarget } from "../model/model.js";
import type { Check } from "./check.js";
import type { InRow } from "./row.js";

/** Everything about one type of field: how it is written, checked, typed and stored. */
export interface Kind<F extends Field = Field, O extends Options = Options> {
  /** As in `type: string`. */
  readonly name: F["kind"];
  /** A whole field with what it needs, for hints: `{ type: enum, values: [draft, live] }`. */
  readonly example: string;
  /** Every option that such a field takes, the common ones included. */
  readonly options: z.ZodObject;
  /**
   * What is wrong between options that are each well written. Malformed and missing ones are not
   * among them, so that one mistake does not hide another.
   */
  check(options: Partial<O>): readonly OptionProblem[];
  field(common: CommonField, options: O, linkTo: LinkTo): F;
  /** The type of a value that is present. */
  typescript(field: F): TypeExpression;
  /** The validator of the runtime's resource room; for an optional field other than string and text, of a value that is not null. */
  validation(field: F): Call;
  /** The column's type with its collation, and the rule which its values keep. */
  sql(field: F): ColumnDefinition;
  /** Bytes that a value takes in the key of an index at most; null where no index has such fields. */
  keyBytes(options: Partial<O>): number | null;
  /** The most that a value takes in its row. */
  inRow(options: Partial<O>): InRow;
}

/** A field's options as its author wrote them, each well-formed. */
export type Options = Readonly<Record<string, unknown>>;

export interface OptionProblem {
  /** Inside the field: `["default"]`, `["values", 3]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** From a resource's name, as in `resource: categories`, to its table. */
export type LinkTo = (resource: string) => LinkTarget;

/** A type's name, or the texts that it is a union of. */
export type TypeExpression = { readonly name: string } | { readonly union: readonly string[] };

/** A call of a validator with one argument; null is a call without any. */
export interface Call {
  readonly validator: Validator;
  readonly argument: Argument | null;
}

export type Argument =
  | readonly string[]
  | Readonly<Record<string, string | number | readonly string[]>>;

export type Validator =
  | "string"
  | "optionalString"
  | "text"
  | "optionalText"
  | "number"
  | "integer"
  | "decimal"
  | "boolean"
  | "enumeration"
  | "date"
  | "timestamp"
  | "reference"
  | "fileKey";

export interface ColumnDefinition {
  readonly type: string;
  readonly check: Check | null;
}
