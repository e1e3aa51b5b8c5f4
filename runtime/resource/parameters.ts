import { type ParameterIssue, refuse } from "../errors/index.js";
import { type QueryPair, queryPairs } from "../http/index.js";
import { isUnicode } from "../values/text.js";
import { columnKinds, type FilterValue } from "./column-kinds.js";
import type { Column } from "./table.js";

/** One `filter[field]` or `filter[field][operator]`. */
export interface FilterParameter {
  /** As sent. */
  readonly param: string;
  readonly field: string;
  /** Null without one. */
  readonly operator: string | null;
  readonly value: string;
}

const filterName = /^filter\[([^[\]]+)\](?:\[([^[\]]*)\])?$/;

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

  /** Takes out every `filter[field]` and `filter[field][operator]`. */
  takeFilters(): readonly FilterParameter[] {
    const filters: FilterParameter[] = [];
    for (const [param, value] of this.#values) {
      const [, field, operator = null] = filterName.exec(param) ?? [];
      if (field === undefined) continue;
      filters.push({ param, field, operator, value });
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

  /** Refuses with everything that was wrong; parameters that were not taken are unknown. */
  finish({ ignoreUnknown = false } = {}): void {
    const unknown = ignoreUnknown ? [] : this.#values.keys();
    for (const name of unknown) this.reject(name, "Unknown parameter");
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

/** What a filter's value means for a column: a value to compare with, or why it is not one. */
export function readFilterValue(column: Column, text: string): FilterValue {
  return columnKinds[column.kind](text, "values" in column ? column.values : []);
}
