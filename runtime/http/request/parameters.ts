import { type ParameterIssue, refuse } from "../../errors/index.js";
import { isOperator, takesList } from "../../values/operators.js";
import { isUnicode } from "../../values/text.js";
import { type QueryPair, queryPairs } from "./url.js";

/** One `filter[field]` or `filter[field][operator]`. */
export interface FilterParameter {
  /** The parameter's name as sent. */
  readonly param: string;
  readonly field: string;
  /** Null if there is no operator. */
  readonly operator: string | null;
  readonly value: string;
  /** Values of repeated parameters, if the operator takes a list: their elements are appended. */
  readonly more: readonly string[];
}

/** Collects the mistakes in a query. `param` is the key as in a query string, also for a query sent as a body. */
export interface Issues {
  reject(param: string, message: string): void;
}

const filterName = /^filter\[([^[\]]+)\](?:\[([^[\]]*)\])?$/;

/** The parameters of a query string by name; collects mistakes. Only lists may be repeated. */
export class Parameters implements Issues {
  /** The values of each parameter, at least one, in order. */
  readonly #values = new Map<string, string[]>();
  readonly #issues: ParameterIssue[] = [];

  constructor(query: string) {
    for (const pair of queryPairs(query)) this.#add(pair);
  }

  /** Removes and returns a parameter; undefined if it was not sent. */
  take(name: string): string | undefined {
    const [value, ...others] = this.#takeAll(name);
    if (others.length > 0) this.#rejectRepeated(name);
    return value;
  }

  /** Removes and returns a comma-separated list; undefined if it was not sent. */
  takeList(name: string): readonly string[] | undefined {
    const values = this.#takeAll(name);
    return values.length === 0 ? undefined : values.flatMap((value) => value.split(","));
  }

  /** Removes and returns every `filter[field]` and `filter[field][operator]`. */
  takeFilters(): readonly FilterParameter[] {
    const filters: FilterParameter[] = [];
    for (const [param, [value = "", ...others]] of this.#values) {
      const [, field, operator = null] = filterName.exec(param) ?? [];
      if (field === undefined) continue;
      const isList = operator !== null && isOperator(operator) && takesList(operator);
      if (others.length > 0 && !isList) this.#rejectRepeated(param);
      filters.push({ param, field, operator, value, more: isList ? others : [] });
      this.#values.delete(param);
    }
    return filters;
  }

  /** Removes and returns all names with that prefix. */
  takeNames(beginning: string): readonly string[] {
    const names = [...this.#values.keys()].filter((name) => name.startsWith(beginning));
    for (const name of names) this.#values.delete(name);
    return names;
  }

  /** Removes and returns an integer from `min` to `max`, or the default if it was not sent. */
  takeInteger<Default extends number | undefined>(
    name: string,
    range: { min: number; max: number; default: Default },
  ): number | Default {
    const value = this.take(name);
    if (value === undefined) return range.default;
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    const upTo = range.max === Number.MAX_SAFE_INTEGER ? "" : ` to ${range.max}`;
    this.reject(name, `Must be a whole number from ${range.min}${upTo}`);
    return range.default;
  }

  /** Removes and returns `true` or `false`; undefined if it was not sent. */
  takeFlag(name: string): boolean | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (value !== "true" && value !== "false") this.reject(name, "Must be true or false");
    return value === "true";
  }

  reject(param: string, message: string): void {
    this.#issues.push({ param, message });
  }

  /** Refuses the request if there are mistakes; parameters that were not taken count as unknown. */
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
    } else {
      const before = this.#values.get(name);
      if (before === undefined) this.#values.set(name, [value]);
      else before.push(value);
    }
  }

  #takeAll(name: string): readonly string[] {
    const values = this.#values.get(name) ?? [];
    this.#values.delete(name);
    return values;
  }

  #rejectRepeated(param: string): void {
    this.reject(param, "Sent more than once");
  }
}

/** Refuses a request that has query parameters (400). */
export function refuseParameters(query: string): void {
  if (query !== "") new Parameters(query).finish();
}

function unicodeOrNull(text: string | null): string | null {
  return text !== null && isUnicode(text) ? text : null;
}
