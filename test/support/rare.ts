import { test as every, type TestAPI } from "vitest";
import { isLong } from "./searches.js";

// For a file of which some tests take seconds of a processor to look at what happens rarely, or at the same once more.
// Each of the two commands runs its part of the file.

/** A test that `npm test` leaves to `npm run test:long`; none may need what another test of its file has done. */
export const rare = every.runIf(isLong) as TestAPI;

/** The others of that file, which the long run does not repeat. */
export const test = every.skipIf(isLong) as TestAPI;

/** The same of several cases: the first in `npm test`, the others in the long run. */
export function testFirst<Case>(
  cases: readonly Case[],
  title: string,
  work: (one: Case) => Promise<void>,
): void {
  test.for(cases.slice(0, 1))(title, (one) => work(one));
  rare.for(cases.slice(1))(title, (one) => work(one));
}
