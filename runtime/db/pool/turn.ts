import { QueueTimeout } from "../statement/sqlstate.js";
import { notePending } from "./pending.js";

/**
 * Waits until another task takes the waiter out of the set and begins it.
 *
 * @throws {QueueTimeout} after `waitMs` milliseconds; the waiter is then no longer in the set.
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
