import { expect } from "vitest";

/**
 * Adds rows until none of the old ones is left. One addition in sixteen deletes some: that none of 400 does happens once
 * in 10^11 runs.
 */
export async function addUntilPruned(
  old: () => Promise<readonly unknown[]>,
  add: (at: number) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < 400 && (await old()).length > 0; at += 1) await add(at);
  expect(await old()).toHaveLength(0);
}
