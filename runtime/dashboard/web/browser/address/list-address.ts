import { type Operator as ApiOperator, isOperator } from "../../../../values/operators.js";

/** The query of a list, as in its address: the API's parameters, and `days` and `day` as chosen. */
export interface ListAddress {
  readonly q: string;
  readonly conditions: readonly Condition[];
  /** The sort order, by at most three fields. */
  readonly sort: readonly Sort[];
  readonly page: number;
  /** Rows per page; null for this browser's default. */
  readonly perPage: number | null;
  readonly view: string | null;
  /** The fields by which records are grouped, as in the API: at most two, times with a calendar unit. */
  readonly by: readonly string[];
  /** The total to show of each column of numbers; null for none. */
  readonly total: Total | null;
  /** The view to show instead of the table; null for the table. */
  readonly show: Show | null;
  /** The month of a calendar, `2026-11`; null for the current one. */
  readonly month: string | null;
}

/** A calendar by a date or time, or a gallery of pictures; `calendar:dueOn` in the address. */
export interface Show {
  readonly as: (typeof shows)[number];
  readonly field: string;
}

const shows = ["calendar", "gallery"] as const;

export const totals = ["sum", "avg", "min", "max"] as const;
export type Total = (typeof totals)[number];

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  /** The value as in the address; with `eq` and `ne`, an empty value means "is empty" and "is not empty". */
  readonly value: string;
}

/**
 * `eq` has no operator in the API. `days`: the last calendar days up to today; `day`: a moment on a day of the user's
 * calendar.
 */
export type Operator = ApiOperator | "eq" | "days" | "day";

export interface Sort {
  readonly field: string;
  readonly isDescending: boolean;
}

/** The parts of an address that a list accepts. */
export interface ListRules {
  accepts(condition: Condition): boolean;
  sortsBy(field: string): boolean;
  groupsBy(key: string): boolean;
  shows(show: Show): boolean;
}

export const wholeList: ListAddress = {
  q: "",
  conditions: [],
  sort: [],
  page: 1,
  perPage: null,
  view: null,
  by: [],
  total: null,
  show: null,
  month: null,
};

/** Limits of the API. */
const maxTerm = 200;
const maxConditions = 50;
const maxSorts = 3;
const maxGroups = 2;
export const maxPerPage = 100;

/** Parses an address. Unknown and invalid parts are omitted and listed in `dropped`. */
export function readList(
  search: string,
  rules: ListRules,
): { readonly listing: ListAddress; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  const conditions: Condition[] = [];
  const whole = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(search)) {
    if (value.includes("\0")) {
      dropped.push(key);
      continue;
    }
    const condition = conditionOf(key, value);
    if (condition === null) {
      if (single.includes(key) && !whole.has(key)) whole.set(key, value);
      else dropped.push(key);
      continue;
    }
    const isNew = !conditions.some((known) => isSame(known, condition));
    if (isNew && conditions.length < maxConditions && rules.accepts(condition)) {
      conditions.push(condition);
    } else dropped.push(key);
  }
  const take = <Value>(key: string, read: (text: string) => Value | null, usual: Value): Value => {
    const text = whole.get(key);
    if (text === undefined) return usual;
    const value = read(text);
    if (value === null) dropped.push(key);
    return value ?? usual;
  };
  const listing = {
    q: take("q", (text) => ([...text].length > maxTerm ? null : text), ""),
    conditions,
    sort: take("sort", (text) => sortOf(text, rules), []),
    page: take("page", (text) => wholeNumber(text, 1_000_000), 1),
    perPage: take<number | null>("perPage", (text) => wholeNumber(text, maxPerPage), null),
    view: take<string | null>("view", (text) => (text === "" ? null : text), null),
    by: take("by", (text) => groupsOf(text, rules), []),
    total: take("total", (text) => totals.find((one) => one === text) ?? null, null),
    show: take("show", (text) => showOf(text, rules), null),
    month: take<string | null>("month", (text) => (isMonth(text) ? text : null), null),
  };
  return { listing, dropped };
}

const single = ["q", "sort", "page", "perPage", "view", "by", "total", "show", "month"];

function conditionOf(key: string, value: string): Condition | null {
  const ofCalendar = /^(days|day):([^[\]]+)$/.exec(key);
  if (ofCalendar !== null) {
    const [, operator, field = ""] = ofCalendar;
    return { field, operator: operator === "day" ? "day" : "days", value };
  }
  const found = /^filter\[([^[\]]+)\](?:\[([a-zA-Z]+)\])?$/.exec(key);
  if (found === null) return null;
  const [, field = "", operator] = found;
  if (operator === undefined) return { field, operator: "eq", value };
  return isOperator(operator) ? { field, operator, value } : null;
}

/** Whether two conditions have the same field and operator: a field can have each operator only once. */
export function isSame(one: Condition, other: Condition): boolean {
  return one.field === other.field && one.operator === other.operator;
}

function sortOf(text: string, rules: ListRules): readonly Sort[] | null {
  const sort = text.split(",").map((name) => {
    const isDescending = name.startsWith("-");
    return { field: isDescending ? name.slice(1) : name, isDescending };
  });
  const names = new Set(sort.map(({ field }) => field));
  const isKnown = sort.every(({ field }) => rules.sortsBy(field));
  return isKnown && names.size === sort.length && sort.length <= maxSorts ? sort : null;
}

function groupsOf(text: string, rules: ListRules): readonly string[] | null {
  const keys = text.split(",");
  const fields = new Set(keys.map((key) => key.split(":")[0]));
  const isKnown = keys.every((key) => rules.groupsBy(key));
  return isKnown && fields.size === keys.length && keys.length <= maxGroups ? keys : null;
}

function showOf(text: string, rules: ListRules): Show | null {
  const [, name, field = ""] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const as = shows.find((one) => one === name);
  return as !== undefined && rules.shows({ as, field }) ? { as, field } : null;
}

/** Whether the text is a month in all of whose weeks the years have four digits. */
export function isMonth(text: string): boolean {
  return /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(text) && text < "9999-12";
}

function wholeNumber(text: string, max: number): number | null {
  const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? value : null;
}

/** Returns the query string of a list, without its question mark; defaults are omitted. */
export function printList(listing: ListAddress): string {
  const { q, conditions, sort, page, perPage, view, by, total, show, month } = listing;
  const parts: (readonly [string, string])[] = [
    ...conditions.map((condition) => [paramOf(condition), condition.value] as const),
  ];
  if (q !== "") parts.push(["q", q]);
  if (sort.length > 0) parts.push(["sort", printSort(sort)]);
  if (by.length > 0) parts.push(["by", by.join(",")]);
  if (total !== null) parts.push(["total", total]);
  if (show !== null) parts.push(["show", `${show.as}:${show.field}`]);
  if (month !== null) parts.push(["month", month]);
  if (page !== 1) parts.push(["page", String(page)]);
  if (perPage !== null) parts.push(["perPage", String(perPage)]);
  if (view !== null) parts.push(["view", view]);
  return printParams(parts);
}

export function printSort(sort: readonly Sort[]): string {
  return sort.map(({ field, isDescending }) => `${isDescending ? "-" : ""}${field}`).join(",");
}

export function paramOf({ field, operator }: Condition): string {
  if (operator === "days" || operator === "day") return `${operator}:${field}`;
  return operator === "eq" ? `filter[${field}]` : `filter[${field}][${operator}]`;
}

/** Encodes a query readably: brackets, commas and colons are left unencoded. */
export function printParams(parts: readonly (readonly [string, string])[]): string {
  return parts.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join("&");
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))
    .replaceAll("%5B", "[")
    .replaceAll("%5D", "]")
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("%20", "+");
}
