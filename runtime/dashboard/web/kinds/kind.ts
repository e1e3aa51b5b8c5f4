import type { ComponentType } from "react";
import type { Field, Resource, Row } from "../api/client/types.js";
import type { Operator } from "../browser/address/list-address.js";

/**
 * What the dashboard needs to know about one kind of field. All members are required, so that the compiler
 * names those that a new kind lacks.
 */
export interface Kind {
  /** The value in a table or a list of facts, never more than one line. */
  readonly cell: ComponentType<CellProps>;
  /** The value as plain text for an exported file; `title` is the title of the linked record. */
  readonly print: (field: Field, value: unknown, title?: string | null) => string;
  /** Null: lists cannot be filtered by this kind. */
  readonly filter: Filter | null;
  /** Whether its values have an order that people expect. */
  readonly isSortable: boolean;
  /** Whether values are right-aligned, as numbers are. */
  readonly isAtEnd: boolean;
  /** Whether the first value of a row is shown as a picture before its title. */
  readonly isPicture: boolean;
  /** The fields that a list requests to show it. */
  readonly asks: (field: Field) => readonly string[];
  /** Whether a list shows it until people choose their own columns. */
  readonly isShown: boolean;
}

export interface CellProps {
  readonly field: Field;
  /** The row, with the fields of `asks` and the linked record. */
  readonly row: Row;
  /** The resource of the row. */
  readonly resource: Resource;
}

export interface Filter {
  /** The operators in the order of the menu, without the two for empty fields, which all kinds have. */
  readonly operators: readonly Operator[];
  /** Whether the value is valid; not called for the empty value, and for each value of a list. */
  readonly accepts: (field: Field, value: string, operator: Operator) => boolean;
  /** The value when another operator is chosen for it; empty where it means nothing there. */
  readonly suited: (value: string, to: Operator, from: Operator) => string;
  /** The value in the text of a filter. */
  readonly words: ComponentType<FilterWordsProps>;
  /** The control in which the value is chosen. */
  readonly choice: ComponentType<FilterChoiceProps>;
  /** For values that are typed freely; null where the control holds the value itself. */
  readonly typing: Typing | null;
  /** The start of the last so many days; null for kinds without a calendar. */
  readonly since: ((days: number) => string) | null;
  /** The first moment of a day and of the next; null for kinds whose values are no moments. */
  readonly within: ((day: string) => readonly [from: string, before: string]) | null;
}

/** Between the text in a filter's control and the value that the address has. */
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

export function kind(one: Kind): Kind {
  return Object.freeze(one);
}
