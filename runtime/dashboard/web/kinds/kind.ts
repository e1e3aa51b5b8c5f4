import type { ComponentType } from "react";
import type { Notation, ReadValue } from "../../../values/csv/notation.js";
import type { Comparisons } from "../../../values/operators.js";
import type { Field, FileDetails, Resource, Row } from "../api/client/types.js";
import type { Operator } from "../browser/address/list-address.js";
import type { NumberText } from "../text/number-text.js";
import type { FormRules } from "./form-rules.js";

/**
 * What the dashboard needs to know about a kind of field. A kind spreads `kindDefaults` first and overrides what
 * differs; the compiler reports missing members.
 */
export interface Kind {
  /** The value in a table or a list of facts, on one line. */
  readonly cell: ComponentType<CellProps>;
  /** The value as plain text for an exported file; `title` is the title of the linked record. */
  readonly print: (field: Field, value: unknown, title?: string | null) => string;
  /** Formats a non-empty value for charts. */
  readonly words: (value: unknown) => string;
  /** Null if lists cannot be filtered by this kind. */
  readonly filter: Filter | null;
  /** Whether its values have an order that users expect. */
  readonly isSortable: boolean;
  /** Whether values are right-aligned, like numbers. */
  readonly isAtEnd: boolean;
  /** Whether the value can be edited in a list's cell. */
  readonly isInPlace: boolean;
  /** Whether the row's first value is displayed as a picture before its title. */
  readonly isPicture: boolean;
  /** The first picture of a record; null for kinds without pictures. */
  readonly picture: ((field: Field, row: Row) => FileDetails | null) | null;
  /** The fields that a list requests to display the field. */
  readonly asks: (field: Field) => readonly string[];
  /** Whether the matching words of a search can be highlighted. */
  readonly isHighlighted: boolean;
  /** Whether a list shows the field by default. */
  readonly isShown: boolean;
  /** Whether values are numbers: charts measure them, and files write them in several notations. */
  readonly isNumeric: boolean;
  /** How charts and lists group records by the field; null if they do not. */
  readonly grouping: "values" | "texts" | "numbers" | "link" | "days" | "moments" | null;
  /** Whether a value belongs to one record only, and so is not copied with it. */
  readonly isFile: boolean;
  readonly form: FormRules;
  /** Parses a whole, non-empty cell of an imported file. */
  readonly readCell: (field: Field, text: string, notation: CellNotation) => Cell;
}

/** The notation of imported values. */
export interface CellNotation extends Pick<Notation, "dates" | "place"> {
  readonly numbers: NumberText;
}

export type Cell =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly message: string };

export interface CellProps {
  readonly field: Field;
  /** The row, with the fields of `asks` and the linked record. */
  readonly row: Row;
  readonly resource: Resource;
}

export interface Filter {
  /** The operators in menu order, without the two for empty fields, which all kinds have. */
  readonly operators: readonly Operator[];
  /** How the API compares these values. */
  readonly comparisons: Comparisons;
  /** Whether the value is valid; called for each value of a list, and not for the empty value. */
  readonly accepts: (field: Field, value: string, operator: Operator) => boolean;
  /** The value after the operator has changed; empty if it has no meaning with the new one. */
  readonly suited: (value: string, to: Operator, from: Operator) => string;
  /** The value in the text of a filter. */
  readonly words: ComponentType<FilterWordsProps>;
  /** The control that chooses the value. */
  readonly choice: ComponentType<FilterChoiceProps>;
  /** For values that are typed freely; null if the control holds the value itself. */
  readonly typing: Typing | null;
  /** The start of the last `days` days; null for kinds that are not dates or times. */
  readonly since: ((days: number) => string) | null;
  /** The start of a day and of the next; null for kinds whose values are not points in time. */
  readonly within: ((day: string) => readonly [from: string, before: string]) | null;
}

/** Converts between the text of a filter's control and the value in the address. */
export interface Typing {
  readonly write: (field: Field, value: string, operator: Operator) => string;
  readonly read: (field: Field, typed: string, operator: Operator) => TypedValue;
}

export type TypedValue =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "problem"; readonly message: string };

export interface FilterWordsProps {
  readonly field: Field;
  readonly value: string;
  readonly operator: Operator;
}

export interface FilterChoiceProps {
  readonly label: string;
  readonly field: Field;
  readonly operator: Operator;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Defaults that most kinds share. */
export const kindDefaults = {
  print: (_: Field, value: unknown) => plain(value),
  words: String,
  isSortable: true,
  isAtEnd: false,
  isInPlace: true,
  isPicture: false,
  picture: null,
  asks: ({ name }: Field): readonly string[] => [name],
  isHighlighted: false,
  isShown: true,
  isNumeric: false,
  grouping: null,
  isFile: false,
} as const;

/** Defaults that most filters share. */
export const filterDefaults = {
  suited: (value: string) => value,
  typing: null,
  since: null,
  within: null,
} as const;

/** Returns a cell with a value or, if there is one, its problem. */
export function cell(value: unknown, problem: string | null): Cell {
  return problem === null ? { kind: "value", value } : { kind: "problem", message: problem };
}

/** Returns a cell from a value that an import has parsed. */
export function readAs(read: ReadValue): Cell {
  return "value" in read ? cell(read.value, null) : cell(null, read.message);
}

export function kind(one: Kind): Kind {
  return Object.freeze(one);
}

/** The value as plain text; empty if there is none. */
export function plain(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}
