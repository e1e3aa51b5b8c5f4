import { locale } from "../../../text/format.js";

// The months of the calendar are Gregorian in every language, like the API's dates.
const common = { calendar: "gregory", timeZone: "UTC" } as const;
const ofMonth = new Intl.DateTimeFormat(locale, { ...common, month: "long", year: "numeric" });
const ofDay = new Intl.DateTimeFormat(locale, { ...common, dateStyle: "full" });
const number = new Intl.DateTimeFormat(locale, { ...common, day: "numeric" });
const short = new Intl.DateTimeFormat(locale, { ...common, weekday: "short" });
const long = new Intl.DateTimeFormat(locale, { ...common, weekday: "long" });

const at = (day: string) => new Date(`${day}T00:00:00Z`);

/** `November 2026`. */
export function monthName(month: string): string {
  return ofMonth.format(at(`${month}-01`));
}

/** `Saturday, 21 November 2026`. */
export function dayName(day: string): string {
  return ofDay.format(at(day));
}

/** `21`. */
export function dayNumber(day: string): string {
  return number.format(at(day));
}

/** `Sat` and `Saturday`. */
export function weekdayName(day: string): { readonly short: string; readonly long: string } {
  return { short: short.format(at(day)), long: long.format(at(day)) };
}
