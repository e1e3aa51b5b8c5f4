import { readDate } from "../time.js";
import { clockOf } from "./clock.js";

const dayMs = 86_400_000;

/** The moment of a local time, or whether the clock skips or repeats it. */
export type MomentThere =
  | { readonly kind: "moment"; readonly iso: string }
  | { readonly kind: "skipped" | "repeated" };

/** Converts local times of a time zone to moments. */
export interface PlaceTimes {
  readonly timezone: string;
  /** Converts a `day` as `YYYY-MM-DD`, and the time in milliseconds since midnight. */
  momentOf(day: string, milliseconds: number): MomentThere;
}

/** Maximum number of cached days: many times in a file are on the same day. */
const mostDays = 10_000;

/** Returns the converter for a time zone. Throws a `RangeError` if the zone does not exist. */
export function timesOf(timezone: string): PlaceTimes {
  const { offsetAt } = clockOf(timezone);
  const known = new Map<string, readonly number[]>();
  /** The offsets that a day's times may have. */
  const offsetsOf = (day: string, midnight: number): readonly number[] => {
    const former = known.get(day);
    if (former !== undefined) return former;
    const found = [...new Set([offsetAt(midnight - dayMs), offsetAt(midnight + 2 * dayMs)])];
    if (known.size >= mostDays) known.clear();
    known.set(day, found);
    return found;
  };
  return {
    timezone,
    momentOf(day, milliseconds) {
      const midnight = readDate(day) ?? Number.NaN;
      const shown = midnight + milliseconds;
      const offsets = offsetsOf(day, midnight);
      const moments =
        offsets.length === 1
          ? offsets.map((offset) => shown - offset)
          : offsets.map((offset) => shown - offset).filter((one) => one + offsetAt(one) === shown);
      const [moment, second] = moments;
      if (moment === undefined) return { kind: "skipped" };
      if (second !== undefined) return { kind: "repeated" };
      return { kind: "moment", iso: new Date(moment).toISOString() };
    },
  };
}
