/** The columns with the times of a record's creation and last change, unquoted; null for none. */
export interface RecordTimes {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

export const timeNames = ["createdAt", "updatedAt"] as const;
export type TimeName = (typeof timeNames)[number];

export const usualTimes: RecordTimes = { createdAt: "created_at", updatedAt: "updated_at" };

/** The times that the records have, by their names in the API. */
export function knownTimes(times: RecordTimes): readonly TimeName[] {
  return timeNames.filter((name) => times[name] !== null);
}

/** The members of a record's type. */
export function timeMembers(times: RecordTimes): readonly string[] {
  return timeNames.map((name) => `${name}: ${times[name] === null ? "null" : "string"};`);
}

/** The columns that the app itself sets, as other columns than the usual ones may have no default. */
export function namedTimes(times: RecordTimes): readonly string[] {
  return timeNames.flatMap((name) => {
    const column = times[name];
    return column === null || column === usualTimes[name] ? [] : [column];
  });
}
