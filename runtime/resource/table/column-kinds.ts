import { readDate, readTimestamp } from "../../values/time.js";
import { isUuid } from "../../values/uuid.js";

/** What a filter's text means for a column: a value to compare with, or why it is not one. */
export type FilterValue = { readonly value: string } | { readonly problem: string };

type ReadFilter = (text: string, values: readonly string[]) => FilterValue;

const asText: ReadFilter = (value) => ({ value });
const asId: ReadFilter = (value) =>
  isUuid(value) ? { value } : { problem: "Must be an id (UUID)" };

const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
// Read as in a body, so that PostgreSQL never meets digits or exponents beyond a double's.
const asNumber: ReadFilter = (text) =>
  number.test(text) && Number.isFinite(Number(text))
    ? { value: String(Number(text)) }
    : { problem: "Must be a number" };

/**
 * Every kind of column that a table can have, and how a filter's text is parsed for it; `values` are the values
 * of an enum column.
 */
export const columnKinds = {
  id: asId,
  belongsTo: asId,
  string: asText,
  file: asText,
  text: () => ({ problem: "Text fields cannot be filtered" }),
  decimal: asNumber,
  double: asNumber,
  integer: (text) =>
    number.test(text) && Number.isSafeInteger(Number(text))
      ? { value: String(Number(text)) }
      : { problem: "Must be a whole number" },
  boolean: (value) =>
    value === "true" || value === "false" ? { value } : { problem: "Must be true or false" },
  date: (value) =>
    readDate(value) === null ? { problem: "Must be a date: YYYY-MM-DD" } : { value },
  timestamp: (text) => {
    const value = readTimestamp(text);
    return value === null ? { problem: "Must be a time as in RFC 3339" } : { value };
  },
  enum: (value, values) =>
    values.includes(value) ? { value } : { problem: `Must be one of: ${values.join(", ")}` },
} as const satisfies Readonly<Record<string, ReadFilter>>;

export type ColumnKind = keyof typeof columnKinds;
