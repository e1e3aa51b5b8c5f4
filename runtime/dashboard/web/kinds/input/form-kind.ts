import type { ComponentType } from "react";
import type { Field, FileDetails, Resource, Row } from "../../api/client/types.js";

/**
 * What forms need to know about one kind of field. In a form every value is text, as it was typed, so that
 * drafts, versions and merges work alike for all kinds. Separate from `Kind`, so that lists load no inputs.
 */
export interface FormKind {
  readonly input: ComponentType<InputProps>;
  /** A record's value as text for the form; empty for none. */
  readonly typed: (value: unknown, field: Field) => string;
  /** The text as a value that the API takes. */
  readonly parse: (field: Field, typed: string) => Parsed;
  /** Whether two texts mean the same value. */
  readonly compare: (field: Field, one: string, other: string) => boolean;
  readonly width: (field: Field) => "third" | "half" | "whole";
  /** The value to read, beside other versions of it. */
  readonly shown: ComponentType<ShownProps>;
  /** Whether versions are compared word by word. */
  readonly isProse: boolean;
}

export interface ShownProps {
  readonly field: Field;
  readonly typed: string;
}

export type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  /** `isSure`: the API would refuse it as well. */
  | { readonly kind: "problem"; readonly message: string; readonly isSure: boolean };

export interface InputProps {
  readonly field: Field;
  /** The record's resource. */
  readonly resource: Resource;
  /** The input's id, unique among all forms on the page. */
  readonly id: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  /** The linked record when the form was opened. */
  readonly related: Row | null;
  /** Whether the value differs from the record's: `related` does not describe it. */
  readonly isChanged?: boolean;
  /** The file when the form was opened. */
  readonly file: FileDetails | null;
  /** Reports an upload under way, until the end of which the form cannot be saved. */
  readonly onBusy: (isBusy: boolean) => void;
  /** Creates a related record beside the form; null where a dialog is open over another form already. */
  readonly onCreate: ((target: Resource, take: (made: Row) => void, term: string) => void) | null;
}

export function formKind(one: FormKind): FormKind {
  return Object.freeze(one);
}

export function parsedAs(value: unknown): Parsed {
  return { kind: "value", value };
}

export function problem(message: string | null, value: unknown, isSure = true): Parsed {
  return message === null ? parsedAs(value) : { kind: "problem", message, isSure };
}
