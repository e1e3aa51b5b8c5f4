import { calendarDay, now, zone } from "../../text/dates.js";
import type { Resource } from "../client/types.js";

/** The response of `_stats`. */
export interface Stats {
  readonly total: number;
  readonly current: number;
  readonly previous: number;
  /** The number of records by value of the requested field. */
  readonly values: Readonly<Record<string, number>>;
  /** Oldest first, without gaps; the last period contains today. */
  readonly series?: readonly { readonly from: string; readonly count: number }[];
}

/** One group of `_aggregate`. */
export interface Group {
  readonly by: Readonly<Record<string, string | boolean | null>>;
  readonly count: number;
  readonly sum?: Readonly<Record<string, number>>;
  readonly avg?: Readonly<Record<string, number | null>>;
  readonly min?: Readonly<Record<string, number | null>>;
  readonly max?: Readonly<Record<string, number | null>>;
}

export interface Aggregate {
  readonly data: readonly Group[];
  readonly meta: { readonly more: boolean };
}

export type Unit = "day" | "week" | "month";

/** The periods to choose from, in days. */
export const periods: readonly number[] = [7, 30, 90, 365];
export const usualPeriod = 90;

/** Returns the calendar unit that gives about a dozen bars, or one bar for each day up to 30 days. */
export function unitOf(days: number): Unit {
  if (days <= 30) return "day";
  return days <= 90 ? "week" : "month";
}

/** Number of months in a chart by month, the current one last. */
export const months = 24;

/** Returns the query for a resource's totals, with a series of new records if these have a time of creation. */
export function totalsQuery(days: number, resource?: Resource): string {
  if (resource?.createdAt === "none") return query({ days: String(days) });
  return query({ days: String(days), series: unitOf(days), timezone: zone() });
}

/** Returns the query for the number of records by value of an enum or boolean field. */
export function valuesQuery(field: string): string {
  return query({ field });
}

/** A count, or an aggregate of a field. */
export interface Measure {
  readonly kind: "count" | "sum" | "avg";
  /** Null for a count. */
  readonly field: string | null;
}

/** Returns `sum.price`, for example. */
export function measureKey({ kind, field }: Measure): string {
  return field === null ? kind : `${kind}.${field}`;
}

/** Returns the query for the largest groups by value of a field. */
export function groupsQuery(measure: Measure, by: string, most: number): string {
  return query({
    ...measureParams(measure),
    by,
    sort: `-${measureKey(measure)}`,
    perPage: String(most),
    timezone: zone(),
  });
}

/** Returns the query for the last months of a date or a time. */
export function monthsQuery(
  measure: Measure,
  { by, isDate }: { readonly by: string; readonly isDate: boolean },
): string {
  const first = firstMonth();
  // A time in the user's current month may still be in the previous month in UTC.
  const from = isDate ? first : new Date(Date.parse(`${first}T00:00:00Z`) - 86_400_000);
  return query({
    ...measureParams(measure),
    by: `${by}:month`,
    [`filter[${by}][gte]`]: typeof from === "string" ? from : from.toISOString(),
    perPage: "1000",
    timezone: zone(),
  });
}

/** Returns the query for sums, averages, minimums and maximums over all records. */
export function figuresQuery(fields: readonly string[]): string {
  const all = fields.join(",");
  return query({ sum: all, avg: all, min: all, max: all });
}

function measureParams({ kind, field }: Measure): Readonly<Record<string, string>> {
  return field === null ? {} : { [kind]: field };
}

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}

/** Returns the value of a group; null if no record in it has one. */
export function measured(group: Group, { kind, field }: Measure): number | null {
  if (field === null || kind === "count") return group.count;
  return group[kind]?.[field] ?? null;
}

/** Returns the months of a chart, oldest first, in the form `2026-11-01`. */
export function monthsUntil(today: string, many = months): readonly string[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  return Array.from({ length: many }, (_, at) => {
    const passed = year * 12 + month - 1 - (many - 1 - at);
    const [inYear, inMonth] = [Math.floor(passed / 12), (passed % 12) + 1];
    return `${String(inYear).padStart(4, "0")}-${String(inMonth).padStart(2, "0")}-01`;
  });
}

function firstMonth(): string {
  return monthsUntil(today())[0] ?? today();
}

/** Returns the current day in the user's time zone: `2026-11-22`. */
export function today(): string {
  return calendarDay(now());
}

/**
 * Adds months without records to a response, and removes months before the first one. Later months are kept, because a
 * date may be in the future.
 */
export function filledMonths(
  groups: readonly Group[],
  by: string,
  from: readonly string[],
): readonly { readonly month: string; readonly group: Group | null }[] {
  const found = new Map(groups.map((group) => [String(group.by[by] ?? ""), group]));
  const last = from.at(-1) ?? "";
  const later = [...found.keys()].filter((month) => month > last).sort();
  return [...from, ...later].map((month) => ({ month, group: found.get(month) ?? null }));
}
