import { type TimeName, timeNames, usualTimes } from "../../runtime/values/schema/record-times.js";

/** The columns with the times of a record's creation and last change, unquoted; null for none. */
export interface RecordTimes {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

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

/** The columns that the app must set itself: columns other than the usual ones may have no default. */
export function namedTimes(times: RecordTimes): readonly string[] {
  return timeNames.flatMap((name) => {
    const column = times[name];
    return column === null || column === usualTimes[name] ? [] : [column];
  });
}
