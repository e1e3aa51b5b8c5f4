import { QueueTimeout } from "../statement/sqlstate.js";
import { notePending } from "./pending.js";

/**
 * Waits until somebody takes the waiter out of the set and begins it.
 *
 * @throws {QueueTimeout} when nobody has within `waitMs` milliseconds; the waiter is no longer in the set then.
 */
export function waitForTurn<Turn, Waiter>(
  waiting: Set<Waiter>,
  waitMs: number,
  waiterOf: (begin: (turn: Turn) => void) => Waiter,
): Promise<Turn> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      waiting.delete(waiter);
      notePending(-1);
      reject(new QueueTimeout());
    }, waitMs);
    const waiter = waiterOf((turn) => {
      clearTimeout(late);
      notePending(-1);
      resolve(turn);
    });
    waiting.add(waiter);
    notePending(1);
  });
}
