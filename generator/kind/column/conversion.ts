import type { Check } from "../../../runtime/values/schema/check.js";

/** A column, as far as the conversion of its values depends on it. */
export interface StoredColumn {
  readonly type: string;
  readonly check: Check | null;
}

/** How the values of one column become those of another type. */
export interface Conversion {
  /** SQL of the new value, from that of a former one. */
  readonly value: (former: string) => string;
  /** SQL that is true for a former value that has a new one; null where each has. */
  readonly readable: ((former: string) => string) | null;
  /** True where the values without a new one are too rare to ask for the user's consent. */
  readonly isRarelyLossy?: boolean;
}

/**
 * The texts that the API shows for a column's values. Values of one kind become those of another by
 * way of these texts, unless the new kind knows a direct conversion.
 */
export interface TextForm {
  /** The kind's name as a rule; two families have no text in common, except that `text` holds any. */
  readonly family: string;
  /** What each text matches as a whole, as an expression that PostgreSQL and JavaScript read alike. */
  readonly pattern: string;
  /** Every text there is; null where there are too many to list. */
  readonly texts: readonly string[] | null;
  /** The most characters of a text. */
  readonly maxLength: number;
  /** SQL of a value's text, independent of the session's settings: triggers run in those of others. */
  write(value: string): string;
  /** The conversion of a text to a value. */
  readonly read: Conversion;
}

/** The form of a column that holds texts. */
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
 * Reads texts in the form that the API shows, and in no other that PostgreSQL would read as well: a
 * code such as 01581 is not a number, and would lose its first digit.
 */
export function reader(type: string, pattern: string) {
  return {
    value: (text: string) => `${text}::${type}`,
    readable: (text: string) => `${text} ~ '^${pattern}$' and service.reads_as(${text}, '${type}')`,
  };
}
