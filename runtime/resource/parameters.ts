import { type ParameterIssue, refuse } from "../errors/index.js";
import { type QueryPair, queryPairs } from "../http/index.js";
import { isUnicode } from "../values/text.js";
import { readDate, readTimestamp } from "../values/time.js";
import { isUuid } from "../values/uuid.js";
import type { Column } from "./table.js";

/** The parameters of a query string by name, each once; collects what is wrong with them. */
export class Parameters {
  readonly #values = new Map<string, string>();
  readonly #issues: ParameterIssue[] = [];

  constructor(query: string) {
    for (const pair of queryPairs(query)) this.#add(pair);
  }

  /** Takes a parameter out; undefined when it was not sent. */
  take(name: string): string | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value;
  }

  /** Takes out every `filter[field]`, with the parameter's name as sent. */
  takeFilters(): { param: string; field: string; value: string }[] {
    const filters = [];
    for (const [param, value] of this.#values) {
      const field = /^filter\[([^[\]]+)\]$/.exec(param)?.[1];
      if (field === undefined) continue;
      filters.push({ param, field, value });
      this.#values.delete(param);
    }
    return filters;
  }

  /** A whole number from `min` to `max`, or the default when not sent. */
  takeInteger(name: string, range: { min: number; max: number; default: number }): number {
    const value = this.take(name);
    if (value === undefined) return range.default;
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    const upTo = range.max === Number.MAX_SAFE_INTEGER ? "" : ` to ${range.max}`;
    this.reject(name, `Must be a whole number from ${range.min}${upTo}`);
    return range.default;
  }

  reject(param: string, message: string): void {
    this.#issues.push({ param, message });
  }

  /** Refuses with everything that was wrong; what nobody took is unknown. */
  finish(): void {
    for (const name of this.#values.keys()) this.reject(name, "Unknown parameter");
    if (this.#issues.length > 0) refuse("BAD_PARAMETERS", { issues: this.#issues });
  }

  #add({ pair, ...decoded }: QueryPair): void {
    const name = unicodeOrNull(decoded.name);
    const value = unicodeOrNull(decoded.value);
    if (name === null || value === null) {
      this.reject(name ?? pair, "Must be percent-encoded Unicode without NUL characters");
    } else if (this.#values.has(name)) {
      this.reject(name, "Sent more than once");
    } else {
      this.#values.set(name, value);
    }
  }
}

function unicodeOrNull(text: string | null): string | null {
  return text !== null && isUnicode(text) ? text : null;
}

/** What a filter's value means for a column: a value to compare with, or why it is none. */
export function readFilterValue(
  column: Column,
  value: string,
): { readonly value: string } | { readonly problem: string } {
  const read = readers[column.kind](column, value);
  return typeof read === "string" ? { value: read } : read;
}

type Reader = (column: Column, value: string) => string | { readonly problem: string };

const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const asId: Reader = (_, value) => (isUuid(value) ? value : { problem: "Must be an id (UUID)" });
const asText: Reader = (_, value) => value;
// Read as in a body, so that PostgreSQL never meets digits or exponents beyond a double's.
const asNumber: Reader = (_, value) =>
  number.test(value) && Number.isFinite(Number(value))
    ? String(Number(value))
    : { problem: "Must be a number" };

const readers: Readonly<Record<Column["kind"], Reader>> = {
  id: asId,
  belongsTo: asId,
  string: asText,
  file: asText,
  text: () => ({ problem: "Text fields cannot be filtered" }),
  decimal: asNumber,
  double: asNumber,
  integer: (_, value) =>
    number.test(value) && Number.isSafeInteger(Number(value))
      ? String(Number(value))
      : { problem: "Must be a whole number" },
  boolean: (_, value) =>
    value === "true" || value === "false" ? value : { problem: "Must be true or false" },
  date: (_, value) =>
    readDate(value) === null ? { problem: "Must be a date: YYYY-MM-DD" } : value,
  timestamp: (_, value) => readTimestamp(value) ?? { problem: "Must be a time as in RFC 3339" },
  enum: (column, value) => {
    const values = column.kind === "enum" ? column.values : [];
    return values.includes(value) ? value : { problem: `Must be one of: ${values.join(", ")}` };
  },
};
