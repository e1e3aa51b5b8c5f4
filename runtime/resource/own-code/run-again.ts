import type { Actor, Reads } from "../../own-code/index.js";
import { handOver, newReads, throwLost } from "./reads.js";

/** How often code is run again that was overtaken: only what it lists, and does not get, can change once more. */
export const mostAgain = 3;

interface Again {
  readonly most: number;
  /** Whether what the code has done so far is undone, or does not matter; always by default. */
  mayRepeat?(reads: Reads): boolean;
}

/**
 * Runs own code that remembers what it reads; again, with `get` locking, where it was overtaken. `attempt` undoes what it
 * did when it throws. After the last time `Overtaken` is thrown.
 */
export async function runAgain<T>(
  actor: Actor,
  { most, mayRepeat = () => true }: Again,
  attempt: (reads: Reads) => Promise<T>,
): Promise<T> {
  const { reads: outer = null } = actor;
  for (let left = most, isLocking = outer?.isLocking ?? false; ; left -= 1, isLocking = true) {
    const reads = newReads(outer, isLocking);
    try {
      const result = await attempt(reads);
      throwLost(reads);
      handOver(reads);
      return result;
    } catch (error) {
      if (reads.lost === null) throw error;
      if (left === 0 || !mayRepeat(reads)) throw reads.lost;
    }
  }
}
