import type { Change } from "../../../runtime/values/schema/change-kinds.js";

/** Distributes the changes that create tables over several transactions. */
export interface LockCount {
  /** The number of the transaction for the change, from 1. */
  batchOf(change: Change): number;
}

/**
 * Maximum number of locks in one transaction. PostgreSQL has room for 6,400 locks of all transactions by default
 * (`max_locks_per_transaction` × `max_connections`, 64 × 100), and a migration runs next to a server.
 */
const maxLocks = 1500;

export function newLockCount(): LockCount {
  let batch = 1;
  let locks = 0;
  return {
    batchOf(change) {
      const more = locksOf(change);
      if (locks + more > maxLocks) {
        batch += 1;
        locks = 0;
      }
      locks += more;
      return batch;
    },
  };
}

/**
 * Returns the number of locks of a change; a new table adds its primary key, its TOAST table and the TOAST table's
 * index.
 */
function locksOf(change: Change): number {
  switch (change.kind) {
    case "createTable":
      return 4;
    case "setTally":
      return 8;
    default:
      return 2;
  }
}
