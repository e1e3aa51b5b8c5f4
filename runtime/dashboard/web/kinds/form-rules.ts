import { valueRequired } from "../../../values/rules.js";
import type { Field } from "../api/client/types.js";

/** The names of form controls; see `input/inputs.ts`. */
export type InputName =
  | "line"
  | "lines"
  | "code"
  | "number"
  | "switch"
  | "choice"
  | "day"
  | "moment"
  | "record"
  | "records"
  | "upload"
  | "list"
  | "gallery";

/**
 * What forms need to know about a kind of field. Every value in a form is text, as typed, so that drafts, versions and
 * merges work alike for all kinds.
 */
export interface FormRules {
  /** The name of the control, not the control itself, so that lists do not import controls. */
  readonly input: InputName;
  /** A record's value as text for the form; empty for none. */
  readonly typed: (value: unknown, field: Field) => string;
  /** The text as a value that the API accepts. */
  readonly parse: (field: Field, typed: string) => Parsed;
  /** Whether two texts mean the same value. */
  readonly compare: (field: Field, one: string, other: string) => boolean;
  /** The initial text of a new record's field without a default. */
  readonly initial: (field: Field) => string;
  readonly width: (field: Field) => "third" | "half" | "whole";
  /** Whether versions are compared word by word. */
  readonly isProse: boolean;
}

export type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  /** `isSure`: the API would refuse it too. */
  | { readonly kind: "problem"; readonly message: string; readonly isSure: boolean };

/** Form rules that most kinds share. */
export const formDefaults = {
  typed: (value: unknown) => (value === null || value === undefined ? "" : String(value)),
  compare: (_: Field, one: string, other: string) => one === other,
  initial: () => "",
  isProse: false,
} as const;

/** Wraps a parser of non-empty text: empty text means no value. */
export function parsing(parse: FormRules["parse"]): FormRules["parse"] {
  return (field, typed) => {
    if (typed !== "") return parse(field, typed);
    return field.required === true ? problem(valueRequired, null) : parsedAs(null);
  };
}

export function parsedAs(value: unknown): Parsed {
  return { kind: "value", value };
}

export function problem(message: string | null, value: unknown): Parsed {
  return message === null ? parsedAs(value) : { kind: "problem", message, isSure: true };
}
