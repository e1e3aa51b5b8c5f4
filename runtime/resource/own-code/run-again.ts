import type { Actor, Reads } from "../../own-code/index.js";
import { handOver, newReads, throwLost } from "./reads.js";

/** The maximum number of retries of overtaken code: only records that it lists without `get` can change again. */
export const mostAgain = 3;

interface Again {
  readonly most: number;
  /** Whether the code's work so far has been rolled back or has no effect; by default always. */
  mayRepeat?(reads: Reads): boolean;
}

/**
 * Runs app code and tracks what it reads. If it was overtaken, runs it again, and `get` then locks records. `attempt`
 * must roll back its work if it throws. After the last attempt, throws `Overtaken`.
 */
export async function runAgain<T>(
  actor: Actor,
  { most, mayRepeat = () => true }: Again,
  attempt: (reads: Reads) => Promise<T>,
): Promise<T> {
  const { reads: outer = null } = actor;
  for (let left = most, isLocking = outer?.isLocking ?? false; ; left -= 1, isLocking = true) {
    const reads = newReads({ outer, isLocking });
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
