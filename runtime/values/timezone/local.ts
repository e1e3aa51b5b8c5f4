import { clockOf } from "./clock.js";

const dayMs = 86_400_000;

/** The longest time for which clocks have shown the times of a day again. */
const longestRepeat = 25 * 3_600_000;

/** The maximum number of cached days: many times of an import are of the same day. */
const mostDays = 10_000;

/**
 * Returns a function that is true for a moment whose local time the clocks of the zone show again later. Stored without
 * a zone, it would be read as the later moment. Throws a `RangeError` if no zone has that name.
 */
export function repeatedIn(timezone: string): (moment: number) => boolean {
  const { offsetAt } = clockOf(timezone);
  const steady = new Map<number, boolean>();
  const isSteady = (day: number): boolean => {
    const known = steady.get(day);
    if (known !== undefined) return known;
    const start = day * dayMs;
    const found = offsetAt(start) === offsetAt(start + dayMs + longestRepeat);
    if (steady.size >= mostDays) steady.clear();
    steady.set(day, found);
    return found;
  };
  return (moment) => {
    if (isSteady(Math.floor(moment / dayMs))) return false;
    const offset = offsetAt(moment);
    const later = offsetAt(moment + longestRepeat);
    return later < offset && offsetAt(moment + offset - later) === later;
  };
}
