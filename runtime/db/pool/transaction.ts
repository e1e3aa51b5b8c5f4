import type pg from "pg";
import { timed } from "../connection/slow.js";
import type { Transaction, TransactionOptions } from "../statement/database.js";
import {
  type Connections,
  isSpent,
  queryableOf,
  refuseUnconfirmed,
  setLimits,
  limits as usual,
} from "./connections.js";
import { untilEnd } from "./until-end.js";

export interface BeginOptions extends TransactionOptions {
  /** Who writes, as `writerOf` returns it. */
  readonly writer?: string | null;
}

/** Runs the work between `begin` and `commit` on a separate connection. */
export async function runTransaction<T>(
  connections: Connections,
  work: (connection: Transaction) => Promise<T>,
  given: BeginOptions = {},
): Promise<T> {
  const { prepared, noteTime } = connections;
  const client = await connections.connect();
  const committed: (() => void)[] = [];
  let broken = false;
  const { query, end, isBusy } = untilEnd(queryableOf(client, prepared, connections));
  let result: T;
  try {
    await setLimits("own", client, connections);
    await client.query(beginWith(given));
    result = await work({ query, afterCommit: (next) => committed.push(next) });
    end();
    const { command } = await timed("commit", noteTime, () => client.query("commit"));
    // PostgreSQL answers `commit` with a rollback, not an error, when a statement before it failed.
    if (command !== "COMMIT") throw new Error("A statement of the transaction failed unnoticed");
  } catch (error) {
    end();
    // A statement that nobody waits for any more would hold up the rollback.
    broken = connections.afterError(error, client) || isBusy() || !(await isRolledBack(client));
    throw error;
  } finally {
    client.release(broken || isSpent(client, connections));
  }
  for (const next of committed) next();
  refuseUnconfirmed(client, connections);
  return result;
}

function beginWith({
  statementMs = usual.statement_timeout,
  idleMs = 0,
  writer = null,
}: BeginOptions) {
  return [
    "begin",
    ...(statementMs < usual.statement_timeout
      ? [`set local statement_timeout = ${Math.ceil(statementMs)}`]
      : []),
    ...(idleMs > usual.idle_in_transaction_session_timeout
      ? [`set local idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`]
      : []),
    // An id and base64: nothing in it has to be escaped.
    ...(writer === null ? [] : [`set local service.account = '${writer}'`]),
  ].join("; ");
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
