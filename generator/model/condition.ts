import type { Conditional, Rule } from "../../runtime/values/access-rule.js";
import type { JsonTest } from "../../runtime/values/json-condition/test.js";

/** A rule whose conditions have been checked against the fields that they name. */
export type ModelRule = Rule<ModelEntry>;

export interface ModelEntry extends Conditional {
  /** The predicates of `where` and `check`; each is omitted if the entry lacks it. */
  readonly stored?: Predicate;
  readonly written?: Predicate;
}

/**
 * A condition on a record, with names and values of the database. `timezone` is that of a column whose times are stored
 * without one.
 */
export type Predicate =
  /** Satisfies every part; true without parts. */
  | { readonly kind: "all"; readonly parts: readonly Predicate[] }
  /** Satisfies at least one part; false without parts. */
  | { readonly kind: "any"; readonly parts: readonly Predicate[] }
  /** Exactly the records that do not satisfy the part, including those with empty fields. */
  | { readonly kind: "not"; readonly part: Predicate }
  | { readonly kind: "empty"; readonly column: string; readonly isList?: true }
  | {
      readonly kind: "compared";
      /** The record's field, for looking up row counts by value. */
      readonly field: string;
      readonly column: string;
      readonly timezone?: string;
      readonly operator: "=" | "<" | "<=" | ">" | ">=";
      readonly value: Operand;
    }
  | {
      readonly kind: "oneOf";
      readonly column: string;
      readonly timezone?: string;
      readonly values: readonly Operand[];
    }
  /** For lists: at least one of the values is an element, or all of them are. */
  | {
      readonly kind: "hasAny" | "hasAll";
      readonly column: string;
      readonly values: readonly Operand[];
    }
  /** Ignores case and accents; `pattern` is a `like` pattern. */
  | { readonly kind: "like"; readonly column: string; readonly pattern: string }
  /** The column's JSON value passes the test. */
  | { readonly kind: "members"; readonly column: string; readonly test: JsonTest }
  /** The link refers to a record that satisfies the part. */
  | {
      readonly kind: "linked";
      readonly column: string;
      readonly to: Table;
      readonly part: Predicate;
    };

interface Table {
  readonly schema: "public" | "service";
  readonly table: string;
  /** The id column. */
  readonly id: string;
}

/**
 * The value that a field is compared with: a string that PostgreSQL parses, or a value known when the statement runs.
 */
export type Operand = { readonly text: string } | { readonly word: OperandWord };

/** The current time, the current date (UTC), and the caller's account. */
export type OperandWord = "now" | "today" | "account";
