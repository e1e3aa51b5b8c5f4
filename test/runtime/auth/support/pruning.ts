import { expect } from "vitest";

/**
 * Adds rows until none of the old ones, of which there are some, is left, and returns how many times it did. One addition
 * in sixteen deletes some: that none of 400 does happens once in 10^11 runs.
 */
export async function addUntilPruned(
  old: () => Promise<readonly unknown[]>,
  add: (at: number) => Promise<unknown>,
): Promise<number> {
  expect(await old()).not.toHaveLength(0);
  let added = 0;
  for (; added < 400 && (await old()).length > 0; added += 1) await add(added);
  expect(await old()).toHaveLength(0);
  return added;
}
