import type { Check } from "../../../runtime/values/schema/check.js";

/** The properties of a column that determine the conversion of its values. */
export interface StoredColumn {
  readonly type: string;
  readonly check: Check | null;
}

/** The conversion of a column's values to another type. */
export interface Conversion {
  /** Converts SQL of the old value to SQL of the new one. */
  readonly value: (former: string) => string;
  /** SQL that is true for an old value that can be converted; null if every value can. */
  readonly readable: ((former: string) => string) | null;
  /** True if the conversion may lose part of a value, which requires the user's consent. */
  readonly isLossy?: boolean;
  /** True if values that cannot be converted are too rare to require the user's consent. */
  readonly isRarelyLossy?: boolean;
}

/**
 * The strings by which the API represents a column's values. Values are converted between kinds through these strings,
 * unless the new kind has a direct conversion.
 */
export interface TextForm {
  /** Usually the kind's name. Different families have no strings in common, except that `text` contains any. */
  readonly family: string;
  /** A pattern that each entire string matches; its meaning is the same in PostgreSQL and JavaScript. */
  readonly pattern: string;
  /** All possible strings; null if there are too many to list. */
  readonly texts: readonly string[] | null;
  /** Maximum number of characters of a string. */
  readonly maxLength: number;
  /** Returns SQL of a value's string, independent of session settings: triggers run with those of other sessions. */
  write(value: string): string;
  readonly read: Conversion;
}

/** The form of a text column. */
export const plainText: TextForm = {
  family: "text",
  pattern: "(.|\n)*",
  texts: null,
  maxLength: Number.POSITIVE_INFINITY,
  write: (value) => value,
  read: { value: (text) => text, readable: null },
};

/** The form of a column with storage keys: `products/image/2026/01/…`. */
export const keyText: TextForm = { ...plainText, family: "key", pattern: ".+/.+" };

/**
 * Returns a conversion that reads only the form that the API uses. PostgreSQL accepts others, but a code such as 01581
 * is not a number, and would lose its first digit.
 */
export function reader(type: string, pattern: string) {
  return {
    value: (text: string) => `${text}::${type}`,
    readable: (text: string) => `${text} ~ '^${pattern}$' and service.reads_as(${text}, '${type}')`,
  };
}
