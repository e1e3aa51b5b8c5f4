import type { Check } from "../../../runtime/values/schema/check.js";

/** The parts of a column that determine the conversion of its values. */
export interface StoredColumn {
  readonly type: string;
  readonly check: Check | null;
}

/** The conversion of a column's values to another type. */
export interface Conversion {
  /** SQL of the new value, from that of the old one. */
  readonly value: (former: string) => string;
  /** SQL that is true for an old value that can be converted; null if every value can. */
  readonly readable: ((former: string) => string) | null;
  /** True if the conversion may lose a part of a value, which requires the user's consent. */
  readonly isLossy?: boolean;
  /** True if values that cannot be converted are too rare to require the user's consent. */
  readonly isRarelyLossy?: boolean;
}

/**
 * The texts by which the API shows a column's values. Values are converted between kinds through
 * these texts, unless the new kind has a direct conversion.
 */
export interface TextForm {
  /** Usually the kind's name; two families share no texts, except that `text` holds any. */
  readonly family: string;
  /** A pattern that each whole text matches; PostgreSQL and JavaScript read it alike. */
  readonly pattern: string;
  /** All possible texts; null if there are too many to list. */
  readonly texts: readonly string[] | null;
  /** The largest number of characters of a text. */
  readonly maxLength: number;
  /** SQL of a value's text, independent of session settings: triggers run with those of other sessions. */
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
 * Reads only the form that the API shows, and no other that PostgreSQL accepts: a code such as
 * 01581 is not a number, and would lose its first digit.
 */
export function reader(type: string, pattern: string) {
  return {
    value: (text: string) => `${text}::${type}`,
    readable: (text: string) => `${text} ~ '^${pattern}$' and service.reads_as(${text}, '${type}')`,
  };
}
