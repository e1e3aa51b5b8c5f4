/** Whether everything is done that `npm test` leaves to `npm run test:long`, which sets `LONG`. */
export const isLong = process.env.LONG !== undefined;

/**
 * How many times a random search tries: `all` of them in `npm run test:long`, and a fifth in `npm test`. A seed gives
 * the same values first, so the few are among the many.
 */
export function tries(all: number): number {
  return isLong ? all : Math.ceil(all / 5);
}
