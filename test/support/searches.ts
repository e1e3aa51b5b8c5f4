/**
 * How many times a random search tries: `all` of them in `npm run test:long`, which sets `LONG`, and a
 * fifth in `npm test`. A seed gives the same values first, so the few are among the many.
 */
export function tries(all: number): number {
  return process.env.LONG === undefined ? Math.ceil(all / 5) : all;
}
