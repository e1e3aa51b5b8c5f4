import { startOfDay } from "../time.js";

const minuteMs = 60_000;

/** A place's clock: what it shows at each moment. Moments and what clocks show are milliseconds since 1970. */
export interface PlaceClock {
  /** Milliseconds by which the clock is ahead of UTC at that moment. */
  offsetAt(moment: number): number;
}

/** The clock of an IANA time zone. Throws a `RangeError` where there is none of that name. */
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
      // What is formatted has whole seconds.
      const whole = Math.floor(moment / 1_000) * 1_000;
      const shown = new Map(format.formatToParts(whole).map(({ type, value }) => [type, value]));
      const number = (type: Intl.DateTimeFormatPartTypes) => Number(shown.get(type));
      const day = startOfDay(number("year"), number("month"), number("day"));
      const seconds = (number("hour") * 60 + number("minute")) * 60 + number("second");
      return day + seconds * 1_000 - whole;
    },
  };
}

/** The first moment after `from`, and not after `to`, at which the clock is set; null where it is not. */
export function nextChange({ offsetAt }: PlaceClock, from: number, to: number): number | null {
  // Clocks are set at most a few times a year, and stay so for a day at least.
  for (let start = from; start < to; start += dayMs) {
    const end = Math.min(start + dayMs, to);
    const offset = offsetAt(start);
    if (offsetAt(end) !== offset) return changeWithin(start, end, offset, offsetAt);
  }
  return null;
}

const dayMs = 24 * 60 * minuteMs;

/** Halves the time in which the clock is set down to a millisecond. */
function changeWithin(
  start: number,
  end: number,
  offset: number,
  offsetAt: PlaceClock["offsetAt"],
): number {
  let [before, after] = [start, end];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}
