import { randomInt } from "node:crypto";

/**
 * Whether it is this call's turn to delete old rows: one in sixteen, as it takes a fifth of the time in which PostgreSQL
 * adds a session. At random, so that neither clients' keys nor the order of requests decide. Whoever prunes deletes more
 * rows than are added between two turns, so that they never pile up.
 */
export function isPruningDue(): boolean {
  return randomInt(16) === 0;
}
