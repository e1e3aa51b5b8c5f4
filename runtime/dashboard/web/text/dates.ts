import { en } from "./en/en.js";
import { locale } from "./format.js";

// How dates and times are written. For timestamps in records, see `kinds/value/timestamp-text.tsx`, which
// `kinds/timestamp.tsx` uses in cells.

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long" });
const ago = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const zoneOfReader = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const ofDay = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
// Swedish dates have the API's format, `2026-11-22`.
const sortable = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });

/** The current time in milliseconds; the only function that reads the clock. */
export function now(): number {
  return Date.now();
}

/** `21 Nov 2026`. */
export function date(iso: string): string {
  return written(day, iso);
}

/** `21 Nov 2026, 15:02`. */
export function time(iso: string): string {
  return written(moment, iso);
}

/** `15:02`. */
export function timeOfDay(iso: string): string {
  return written(ofDay, iso);
}

/** The time with seconds and zone, for a tooltip. */
export function exactTime(iso: string): string {
  return written(exact, iso);
}

/** Formats a time. Adopted tables may contain times that a JavaScript date cannot represent, such as `infinity`. */
function written(format: Intl.DateTimeFormat, iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : format.format(at);
}

const minute = 60_000;
const hour = 60 * minute;
const wholeDay = 24 * hour;

/** `4 min ago` up to a week, then a date. */
export function relative(iso: string, at: number = now()): string {
  const passed = at - new Date(iso).getTime();
  if (Number.isNaN(passed)) return iso;
  if (passed < minute) return en.common.justNow;
  if (passed < hour) return ago.format(-Math.floor(passed / minute), "minute");
  if (passed < wholeDay) return ago.format(-Math.floor(passed / hour), "hour");
  if (passed < 7 * wholeDay) return ago.format(-Math.floor(passed / wholeDay), "day");
  return date(iso);
}

/** When a record was last changed; `in the meantime` if it has no `updatedAt`. */
export function changeTime(
  { updatedAt }: Readonly<Record<string, unknown>>,
  print: (iso: string) => string = relative,
): string {
  return typeof updatedAt === "string" ? print(updatedAt) : en.common.meanwhile;
}

/** `0:42`, `12:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The IANA name of the user's time zone. */
export function zone(): string {
  return zoneOfReader;
}

/** The day of a time in the user's time zone: `2026-11-22`. */
export function calendarDay(milliseconds: number): string {
  return sortable.format(milliseconds);
}

const ofPeriods = {
  day: [
    { day: "numeric", month: "short" },
    { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  ],
  week: [
    { day: "numeric", month: "short" },
    { day: "numeric", month: "short", year: "numeric" },
  ],
  month: [
    { month: "short", year: "numeric" },
    { month: "long", year: "numeric" },
  ],
  year: [{ year: "numeric" }, { year: "numeric" }],
} as const;

/** The calendar units by which times are grouped. */
export const periodUnits = ["day", "week", "month", "year"] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** The first day after a unit that begins with this day. */
export function periodAfter(from: string, unit: PeriodUnit): string {
  if (unit === "day") return dayAfter(from, 1);
  if (unit === "week") return dayAfter(from, 7);
  const at = new Date(`${from}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return "";
  at.setUTCMonth(at.getUTCMonth() + (unit === "month" ? 1 : 12));
  return at.toISOString().split("T")[0] ?? "";
}

/** The name of the day, week, month or year that starts with a given day: short for an axis, or full. */
export function period(
  from: string,
  unit: keyof typeof ofPeriods,
): { readonly short: string; readonly whole: string } {
  const at = new Date(`${from}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return { short: from, whole: from };
  const [short, whole] = ofPeriods[unit].map((style) =>
    new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }).format(at),
  );
  return { short: short ?? from, whole: whole ?? from };
}

/** The first of the last `days` days up to today, in the user's calendar. */
export function dayOf(days: number): { readonly date: string; readonly moment: string } {
  const first = dayAfter(localDay(new Date(now()).toISOString()), 1 - days);
  return { date: first, moment: momentOfDay(first) };
}

/**
 * Adds days by calendar, not in local time: counted from a day that starts at 01:00, the other days would start at
 * 01:00 too.
 */
export function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return "";
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().split("T")[0] ?? "";
}

/** The day of a time in the user's time zone: `2026-11-21`. */
export function localDay(iso: string): string {
  const at = new Date(iso);
  if (iso === "" || Number.isNaN(at.getTime())) return "";
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The start of a day in the user's time zone. If midnight occurs twice, JavaScript uses the first. */
export function momentOfDay(day: string): string {
  const at = new Date(`${day}T00:00:00`);
  return day === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

/** Whether the text is an existing day, such as `2026-11-21`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const read = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
}

/** Formats a day as `21 Nov 2026`, using noon in the user's time zone, so that the zone cannot shift the day. */
export function nameOfDay(day: string): string {
  return isDay(day) ? date(`${day}T12:00:00`) : day;
}

/** The start of the next day in the user's time zone. */
export function momentAfterDay(day: string): string {
  return momentOfDay(dayAfter(day, 1));
}

/** A time for `datetime-local`: in the user's zone, with seconds and milliseconds if there are any. */
export function localInput(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const minutes = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.getMilliseconds() !== 0) {
    return `${minutes}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
  }
  return at.getSeconds() === 0 ? minutes : `${minutes}:${two(at.getSeconds())}`;
}

/** Formats a time as `14:02 UTC`, with the date if it differs. */
export function utcTime(iso: string): string {
  const utc = iso.slice(11, 16);
  return localInput(iso).slice(0, 10) === iso.slice(0, 10)
    ? `${utc} UTC`
    : `${iso.slice(0, 10)} ${utc} UTC`;
}
