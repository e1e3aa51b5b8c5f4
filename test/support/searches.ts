/** Whether tests run that `npm test` leaves to `npm run test:long`, which sets `LONG`. */
export const isLong = process.env.LONG !== undefined;

/** Whether `npm run audit` runs, which attacks for as long as it takes; the long run has a short form of each attack. */
export const isAudit = process.env.AUDIT !== undefined;

/** CI has half an hour for everything. */
export const isHurried = process.env.CI !== undefined;

/** Whether everything runs, in a manual `npm run test:long`. */
export const isThorough = isLong && !isHurried;

/**
 * How many times a random search tries: `all` of them in `npm run test:long`, an eighth where CI runs that, and a tenth
 * in `npm test`. A seed gives the same values first, so the few are among the many.
 */
export function tries(all: number): number {
  return Math.ceil(all / (isLong ? (isHurried ? 8 : 1) : 10));
}
