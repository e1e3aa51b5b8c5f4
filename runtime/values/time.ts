const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The first and last instants with a four-digit year. */
const earliest = startOfDay(1, 1, 1);
const latest = startOfDay(9999, 12, 31) + 86_399_999;

/** Milliseconds since 1970 of `YYYY-MM-DD` at 00:00 UTC; null for a day that does not exist, or before year 1. */
export function readDate(value: string): number | null {
  const match = datePattern.exec(value);
  if (match === null) return null;
  const [year, month, day] = match.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined || year === 0) return null;
  const time = startOfDay(year, month, day);
  // An impossible day or month rolls over into another one.
  const read = new Date(time);
  return read.getUTCDate() === day && read.getUTCMonth() === month - 1 ? time : null;
}

/**
 * An RFC 3339 time as `YYYY-MM-DDTHH:mm:ss.sssZ`: `Z` or an offset, up to nine fraction digits, truncated to
 * milliseconds. Null for anything else, leap seconds and times outside the years 1 to 9999 included.
 */
export function readTimestamp(value: string): string | null {
  const match = timePattern.exec(value);
  if (match === null) return null;
  const [, date = "", hour, minute, second, fraction = "", sign, offsetHour, offsetMinute] = match;
  const day = readDate(date);
  if (day === null) return null;
  const offset = sign === undefined ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  const minutes = Number(hour) * 60 + Number(minute) - (sign === "-" ? -offset : offset);
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const time = day + minutes * 60_000 + Number(second) * 1000 + millisecond;
  if (time < earliest || time > latest) return null;
  return new Date(time).toISOString();
}

/** Like `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999, but without that rule. */
function startOfDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
