import { isMonth } from "../../../browser/address/list-address.js";
import { dayAfter } from "../../../text/dates.js";

// Days and months without a time zone: `2026-11-21`, `2026-11`.

/** The part of `Intl.Locale` that older browsers lack. */
interface WithWeeks {
  getWeekInfo?(): { readonly firstDay: number };
  readonly weekInfo?: { readonly firstDay: number };
}

/** The day on which weeks begin: 1 for Monday, 7 for Sunday. Monday if the browser does not know. */
export function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale) as WithWeeks;
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

/** 0 for Sunday, 6 for Saturday. */
function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The whole weeks that contain a day of the month. */
export function weeksOf(month: string, first: number): readonly (readonly string[])[] {
  const begin = `${month}-01`;
  const before = (weekday(begin) - first + 7) % 7;
  const weeks: string[][] = [];
  for (let day = dayAfter(begin, -before); day.slice(0, 7) <= month; day = dayAfter(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, at) => dayAfter(day, at)));
  }
  return weeks;
}

/** The month `by` months later; null if it is outside the range of addresses. */
export function monthAfter(month: string, by: number): string | null {
  const [year = 0, inYear = 1] = month.split("-").map(Number);
  const passed = year * 12 + inYear - 1 + by;
  const next = `${Math.floor(passed / 12)}-${String((passed % 12) + 1).padStart(2, "0")}`;
  return isMonth(next) ? next : null;
}

/** The same day of another month, or that month's last day. */
export function dayIn(month: string, day: string): string {
  const same = `${month}${day.slice(7)}`;
  const days = weeksOf(month, 1).flat();
  return days.includes(same) ? same : (days.findLast((one) => one.startsWith(month)) ?? same);
}
