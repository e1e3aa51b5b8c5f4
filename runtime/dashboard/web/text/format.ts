import { en } from "./en/en.js";
import { numbersIn } from "./number-text.js";

// The pure functions run without a browser too.
export const locale = (typeof navigator === "undefined" ? "" : navigator.language) || "en";

const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long" });
const ago = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const number = new Intl.NumberFormat(locale);
const precise = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
const zoneOfReader = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const ofDay = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
// Swedish dates have the API's format.
const sortable = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });
const both = new Intl.ListFormat(locale, { type: "conjunction" });
const either = new Intl.ListFormat(locale, { type: "disjunction" });

/** The current time in milliseconds; the only function that reads the clock. */
export function now(): number {
  return Date.now();
}

/** `21 Nov 2026`. */
export function date(iso: string): string {
  return day.format(new Date(iso));
}

/** `21 Nov 2026, 15:02`. */
export function time(iso: string): string {
  return moment.format(new Date(iso));
}

/** `15:02`. */
export function timeOfDay(iso: string): string {
  return ofDay.format(new Date(iso));
}

/** The time with seconds and zone, for a tooltip. */
export function exactTime(iso: string): string {
  return exact.format(new Date(iso));
}

const minute = 60_000;
const hour = 60 * minute;
const wholeDay = 24 * hour;

/** `4 min ago` up to a week, then a date. */
export function relative(iso: string, at: number = now()): string {
  const passed = at - new Date(iso).getTime();
  if (passed < minute) return en.common.justNow;
  if (passed < hour) return ago.format(-Math.floor(passed / minute), "minute");
  if (passed < wholeDay) return ago.format(-Math.floor(passed / hour), "hour");
  if (passed < 7 * wholeDay) return ago.format(-Math.floor(passed / wholeDay), "day");
  return date(iso);
}

/** `0:42`, `12:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function count(value: number): string {
  return number.format(value);
}

/** How the reader's numbers are written. */
export const readerNumbers = numbersIn(locale);

/** A number rounded to as many decimals. */
export function decimal(value: number, decimals?: number): string {
  if (decimals === undefined) return precise.format(value);
  return new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
}

/** `1.2M`, for an axis. */
export function rough(value: number): string {
  return compact.format(value);
}

/** The reader's time zone by its IANA name. */
export function zone(): string {
  return zoneOfReader;
}

/** `2026-11-22`: the day of a time in the reader's zone. */
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
} as const;

/** The name of a day, week or month by its first day, which has no zone; short for an axis, or whole. */
export function period(
  from: string,
  unit: keyof typeof ofPeriods,
): { readonly short: string; readonly whole: string } {
  const at = new Date(`${from}T00:00:00Z`);
  const [short, whole] = ofPeriods[unit].map((style) =>
    new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" }).format(at),
  );
  return { short: short ?? from, whole: whole ?? from };
}

/** `draft, live or gone`. */
export function listed(words: readonly string[], joined: "and" | "or"): string {
  return (joined === "and" ? both : either).format(words);
}

/** The first of the last so many days up to today, in the reader's calendar. */
export function dayOf(days: number): { readonly date: string; readonly moment: string } {
  const first = dayAfter(localDay(new Date(now()).toISOString()), 1 - days);
  return { date: first, moment: momentOfDay(first) };
}

/** By the calendar alone: counted from a day that begins at 01:00 the others would begin then, too. */
function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return "";
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().split("T")[0] ?? "";
}

/** `2026-11-21`: the day of a time in the reader's zone. */
export function localDay(iso: string): string {
  const at = new Date(iso);
  if (iso === "" || Number.isNaN(at.getTime())) return "";
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The first moment of a day in the reader's zone: JavaScript takes the first of two midnights. */
export function momentOfDay(day: string): string {
  const at = new Date(`${day}T00:00:00`);
  return day === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

/** `2026-11-21`, and a day that there is. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const read = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
}

/** `21 Nov 2026`: from noon in the reader's zone, so that no zone moves it to another day. */
export function nameOfDay(day: string): string {
  return date(`${day}T12:00:00`);
}

/** The first moment of the day after a day in the reader's zone. */
export function momentAfterDay(day: string): string {
  return momentOfDay(dayAfter(day, 1));
}

/** Initials of a person without a picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase(locale);
}

/** `l•••@northwind.example`: enough for its owner to recognise it. */
export function veiled(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? email : `${[...email][0]}•••${email.slice(at)}`;
}

/** `Firefox on Linux`, from the `User-Agent`; null where nothing is recognised. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent.split(/[\s/]/)[0] ?? null;
  return system === undefined ? browser : en.common.browserOn(browser, system);
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\b(?:Headless)?Chrome\//, "Chrome"],
  [/\bVersion\/.*Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "Mac"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

/** A time for `datetime-local`: in the reader's zone, with seconds and milliseconds where there are any. */
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

/** `14:02 UTC`, with the day where it differs. */
export function utcTime(iso: string): string {
  const utc = iso.slice(11, 16);
  return localInput(iso).slice(0, 10) === iso.slice(0, 10)
    ? `${utc} UTC`
    : `${iso.slice(0, 10)} ${utc} UTC`;
}

const megabyte = 1_000_000;

/** `2.1 MB`, `12 kB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return en.common.bytes(bytes);
  if (bytes < megabyte) return `${number.format(Math.ceil(bytes / 1_000))} kB`;
  return `${number.format(Math.round(bytes / (megabyte / 10)) / 10)} MB`;
}

/** `62 %`. */
export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
