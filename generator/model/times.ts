import { type TimeName, timeNames, usualTimes } from "../../runtime/values/schema/record-times.js";

/** The columns with the times of a record's creation and last change, unquoted; null for none. */
export interface RecordTimes {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** The time zones of these times, if they are stored without one; null for `timestamptz`. */
export interface RecordZones {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** The value for times stored as `timestamptz`. */
export const noZones: RecordZones = { createdAt: null, updatedAt: null };

/** Whether both times have their default columns. */
export function isUsual(times: RecordTimes): boolean {
  return timeNames.every((name) => times[name] === usualTimes[name]);
}

/** The times that the records have, by their names in the API. */
export function knownTimes(times: RecordTimes): readonly TimeName[] {
  return timeNames.filter((name) => times[name] !== null);
}

/** The members of a record's type. */
export function timeMembers(times: RecordTimes): readonly string[] {
  return timeNames.map((name) => `${name}: ${times[name] === null ? "null" : "string"};`);
}

interface SetTime {
  readonly column: string;
  readonly timezone: string | null;
}

/**
 * Returns the columns that inserts must set, because the columns of an adopted table, or with custom names, may have no
 * default.
 */
export function setTimes(
  { times, zones }: { readonly times: RecordTimes; readonly zones: RecordZones },
  origin: "adopted" | "own",
): readonly SetTime[] {
  return timeNames.flatMap((name) => {
    const column = times[name];
    const timezone = zones[name];
    if (column === null || (origin === "own" && column === usualTimes[name])) return [];
    return [{ column, timezone }];
  });
}
