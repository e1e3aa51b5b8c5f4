const timePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const dayMilliseconds = 86_400_000;

/** The period of the Gregorian calendar, in milliseconds. */
const fourHundredYears = 146_097 * dayMilliseconds;

/** The first moment with a four-digit year; below it, the last. */
const earliest = startOfDay(1, 1, 1);
const latest = startOfDay(9999, 12, 31) + 86_399_999;

/**
 * Parses `YYYY-MM-DD` to the milliseconds of 00:00 UTC since 1970; null for a day that does not exist, or before year
 * 1.
 */
export function readDate(value: string): number | null {
  return value.length === 10 ? dayAtStart(value) : null;
}

/** Parses the day at the start of a text. Uses character codes, since an import parses millions of days. */
function dayAtStart(value: string): number | null {
  if (value[4] !== "-" || value[7] !== "-") return null;
  const year = numberAt(value, 0, 4);
  const month = numberAt(value, 5, 7);
  const day = numberAt(value, 8, 10);
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  return isDay ? startOfDay(year, month, day) : null;
}

/** The number formed by the digits from `from` to `to`; NaN if a character is not a digit. */
function numberAt(value: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = value.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/**
 * Converts an RFC 3339 time to `YYYY-MM-DDTHH:mm:ss.sssZ`. Accepts `Z` or an offset, and up to nine fraction digits,
 * truncated to milliseconds. A leap second becomes the last millisecond before it. Null for any other text, and for
 * times outside the years 1 to 9999.
 */
export function readTimestamp(value: string): string | null {
  const usual = usualTimestamp(value);
  if (usual !== null) return usual;
  const match = timePattern.exec(value);
  if (match === null) return null;
  const [, date = "", hour, minute, second, fraction = "", sign, offsetHour, offsetMinute] = match;
  const day = readDate(date);
  if (day === null) return null;
  const offset = sign === undefined ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  const minutes = Number(hour) * 60 + Number(minute) - (sign === "-" ? -offset : offset);
  const isLeap = second === "60";
  const milliseconds = isLeap
    ? 59_999
    : Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const time = day + minutes * 60_000 + milliseconds;
  if (time < earliest || time > latest) return null;
  // Leap seconds occur only at the end of a UTC day.
  if (isLeap && (time + 1) % dayMilliseconds !== 0) return null;
  return new Date(time).toISOString();
}

/** Parses the usual form: a UTC time without a fraction, or with three digits. Null for any other text. */
function usualTimestamp(value: string): string | null {
  const hasFraction = value.length === 24;
  if ((!hasFraction && value.length !== 20) || !value.endsWith("Z") || value[10] !== "T")
    return null;
  if (value[13] !== ":" || value[16] !== ":" || dayAtStart(value) === null) return null;
  const isTime =
    numberAt(value, 11, 13) < 24 && numberAt(value, 14, 16) < 60 && numberAt(value, 17, 19) < 60;
  if (!isTime) return null;
  if (!hasFraction) return `${value.slice(0, 19)}.000Z`;
  return value[19] === "." && numberAt(value, 20, 23) >= 0 ? value : null;
}

/** Like `Date.UTC`, but without mapping the years 0 to 99 to 1900 to 1999; computes 400 years later to avoid that. */
export function startOfDay(year: number, month: number, day: number): number {
  return Date.UTC(year + 400, month - 1, day) - fourHundredYears;
}
