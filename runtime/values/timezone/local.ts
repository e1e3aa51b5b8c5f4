import { clockOf } from "./clock.js";

const dayMs = 86_400_000;

/** The longest period, in milliseconds, after which a zone's clocks have repeated local times. */
const longestRepeat = 25 * 3_600_000;

/** Maximum number of cached days: many times in an import are on the same day. */
const mostDays = 10_000;

/**
 * Returns a function that is true for a moment whose local time occurs again later in the zone. Stored without a zone,
 * it would be read as the later moment. Throws a `RangeError` if the zone does not exist.
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
