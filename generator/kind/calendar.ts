const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** True for a day that the calendar has, `0001-01-01` to `9999-12-31`. */
export function isDate(text: string): boolean {
  return startOf(text) !== null;
}

/**
 * An RFC 3339 time in UTC, cut to milliseconds: `YYYY-MM-DDTHH:mm:ss.sssZ`. Null for anything else,
 * and for what leaves the years 1 to 9999.
 */
export function normalTimestamp(text: string): string | null {
  const match = timePattern.exec(text);
  const day = startOf(match?.[1] ?? "");
  if (match === null || day === null) {
    return null;
  }
  const [, , hour, minute, second, fraction = "", sign, offsetHour, offsetMinute] = match;
  const offset = sign === undefined ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  const minutes = Number(hour) * 60 + Number(minute) + (sign === "-" ? offset : -offset);
  const milliseconds = Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const normal = new Date(day + minutes * 60_000 + milliseconds).toISOString();
  return isDate(normal.slice(0, 10)) ? normal : null;
}

/** Milliseconds since 1970 at the beginning of the day; null when there is no such day. */
function startOf(text: string): number | null {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined || Number(year) === 0) {
    return null;
  }
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const time = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that does not exist rolls over into another month.
  return new Date(time).toISOString().startsWith(text) ? time : null;
}
