import { startOfDay } from "../time.js";

const minuteMs = 60_000;

/** The clock of a time zone. Moments and local times are milliseconds since 1970. */
export interface PlaceClock {
  /** The offset from UTC at that moment, in milliseconds. */
  offsetAt(moment: number): number;
}

/** Returns the clock of an IANA time zone. Throws a `RangeError` if the zone does not exist. */
export function clockOf(timezone: string): PlaceClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return {
    offsetAt(moment) {
      // Formatted times have whole seconds.
      const whole = Math.floor(moment / 1_000) * 1_000;
      const shown = new Map(format.formatToParts(whole).map(({ type, value }) => [type, value]));
      const number = (type: Intl.DateTimeFormatPartTypes) => Number(shown.get(type));
      const day = startOfDay(number("year"), number("month"), number("day"));
      const seconds = (number("hour") * 60 + number("minute")) * 60 + number("second");
      return day + seconds * 1_000 - whole;
    },
  };
}

/** The first moment after `from`, up to `to`, at which the offset changes; null if there is none. */
export function nextChange({ offsetAt }: PlaceClock, from: number, to: number): number | null {
  // Offsets change at most a few times a year, and stay the same for at least a day.
  for (let start = from; start < to; start += dayMs) {
    const end = Math.min(start + dayMs, to);
    const offset = offsetAt(start);
    if (offsetAt(end) !== offset) return changeWithin(start, end, offsetAt);
  }
  return null;
}

const dayMs = 24 * 60 * minuteMs;

/** Finds the millisecond at which the offset changes by bisection. */
function changeWithin(start: number, end: number, offsetAt: PlaceClock["offsetAt"]): number {
  const offset = offsetAt(start);
  let [before, after] = [start, end];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
