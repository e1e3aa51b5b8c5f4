import { now, relative, time } from "./dates.js";
import { locale } from "./format.js";

const ahead = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const hourOfDay = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const minute = 60_000;
const hour = 60 * minute;
const wholeDay = 24 * hour;

/** `in 4 min` up to a week, then a date and time; past times as in `relative`. */
export function soon(iso: string, at: number = now()): string {
  const left = new Date(iso).getTime() - at;
  if (left <= 0) return relative(iso, at);
  if (left < hour) return ahead.format(Math.ceil(left / minute), "minute");
  if (left < wholeDay) return ahead.format(Math.round(left / hour), "hour");
  if (left < 7 * wholeDay) return ahead.format(Math.round(left / wholeDay), "day");
  return time(iso);
}

/** The name of the hour that starts at this time: short for an axis, or with its day. */
export function hourName(iso: string): { readonly short: string; readonly whole: string } {
  return { short: hourOfDay.format(new Date(iso)), whole: time(iso) };
}
