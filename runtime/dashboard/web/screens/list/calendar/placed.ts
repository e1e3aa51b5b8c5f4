import type { Field, Resource, Row } from "../../../api/client/types.js";
import { namingParams, type Params } from "../../../api/records/naming.js";
import {
  type Condition,
  type ListAddress,
  printSort,
} from "../../../browser/address/list-address.js";
import { kindOf } from "../../../kinds/kinds.js";
import { conditionParams } from "../../../kinds/query/list-parameters.js";
import { localDay } from "../../../text/dates.js";
import type { FirstRows } from "./first-rows.js";

/** Maximum number of pages, of 100 records each, read for a month. */
export const mostPages = 5;

/** Maximum number of fields by which the API sorts. */
const maxSorts = 3;

/** The records of some days, and where reading ended. */
export interface Placed {
  readonly byDay: ReadonlyMap<string, readonly Row[]>;
  /** The day of the last record that was read if there are more; null if all were read. */
  readonly until: string | null;
}

export const noneRead: Placed = { byDay: new Map(), until: null };

/** The query for a list's records on these days, sorted by date or time. */
export function daysParams(
  resource: Resource,
  listing: ListAddress,
  { field, days }: { readonly field: Field; readonly days: readonly string[] },
): Params {
  const conditions = [...listing.conditions, ...withinDays(field, days)];
  const then = listing.sort.filter((one) => one.field !== field.name);
  const sort = [{ field: field.name, isDescending: false }, ...then].slice(0, maxSorts);
  return [
    ...conditionParams(resource, { ...listing, conditions }),
    ["sort", printSort(sort)],
    ...namingParams(resource, [field]),
  ];
}

/** The condition from the first day to the last: days for dates, points in time in the user's time zone for times. */
export function withinDays(
  { name, ...field }: Field,
  days: readonly string[],
): readonly Condition[] {
  const [first = "", last = first] = [days[0], days.at(-1)];
  const within = kindOf(field).filter?.within ?? null;
  return within === null
    ? [
        { field: name, operator: "gte", value: first },
        { field: name, operator: "lte", value: last },
      ]
    : [
        { field: name, operator: "gte", value: within(first)[0] },
        { field: name, operator: "lt", value: within(last)[1] },
      ];
}

/** Whether values are points in time rather than days. */
export function isMoment(field: Field): boolean {
  return (kindOf(field).filter?.within ?? null) !== null;
}

/** The day of a record in the reader's calendar. */
export function dayOfRecord(field: Field, row: Row): string {
  const value = String(row[field.name] ?? "");
  return isMoment(field) ? localDay(value) : value;
}

/** The value that moves a record to another day: that day, or the same time of that day in the user's time zone. */
export function valueOnDay(field: Field, value: unknown, day: string): string {
  if (!isMoment(field)) return day;
  const at = new Date(String(value));
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  at.setFullYear(year, month - 1, date);
  return at.toISOString();
}

/** Places each record on its day, sorted by time. */
export function placed(
  field: Field,
  { rows: read, hasMore }: Pick<FirstRows, "rows" | "hasMore">,
): Placed {
  const rows = inOrder(field, read);
  const byDay = new Map<string, Row[]>();
  for (const row of rows) {
    const day = dayOfRecord(field, row);
    const known = byDay.get(day);
    if (known === undefined) byDay.set(day, [row]);
    else known.push(row);
  }
  const last = rows.at(-1);
  return { byDay, until: hasMore && last !== undefined ? dayOfRecord(field, last) : null };
}

/** Sorts by time; records with equal times keep their order. */
function inOrder({ name }: Field, rows: readonly Row[]): readonly Row[] {
  const timeOf = (row: Row) => Date.parse(String(row[name] ?? "")) || 0;
  return rows.toSorted((one, other) => timeOf(one) - timeOf(other));
}
