import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { RequestState } from "../../request/index.js";
import { timed } from "../connection/slow.js";
import type { Transaction, TransactionOptions } from "../statement/database.js";
import { cancelStatement } from "./cancel.js";
import {
  type Connections,
  isSpent,
  queryableOf,
  refuseUnconfirmed,
  silenceMs,
  limits as usual,
} from "./connections.js";
import { patiently } from "./patient.js";
import { untilEnd } from "./until-end.js";

export interface BeginOptions extends TransactionOptions {
  /** The transaction's request; null if no request causes it. */
  readonly request: RequestState | null;
  /** The author as returned by `writerOf`. */
  readonly writer: string | null;
}

/** Runs the work between `begin` and `commit` on a separate connection. */
export async function runTransaction<T>(
  connections: Connections,
  work: (connection: Transaction) => Promise<T>,
  given: BeginOptions,
): Promise<T> {
  const { prepared: names, noteTime } = connections;
  const { request } = given;
  const client = await connections.connect();
  const committed: (() => void)[] = [];
  let broken = false;
  // PostgreSQL ends statements that wait or run too long before this limit is reached.
  const patienceMs =
    given.lockMs === undefined ? undefined : statementMsOf(given) + given.lockMs + silenceMs;
  let transaction: ReturnType<typeof untilEnd> | null = null;
  let wasCancelled = () => false;
  let result: T;
  try {
    const pid = pidOf(await client.query(beginWith(given)));
    let queryable = queryableOf(client, { names, request, patienceMs }, connections);
    if (pid !== null) {
      const patient = patiently(queryable, {
        ...{ client, pid, statementMs: statementMsOf(given) },
        ...{ watch: connections.lockWatch, onWait: given.onWait },
      });
      ({ wasCancelled } = patient);
      queryable = patient;
    }
    transaction = untilEnd(queryable);
    const { query } = transaction;
    result = await work({ query, afterCommit: (next) => committed.push(next) });
    transaction.end();
    const { command } = await timed({ statement: "commit", request }, noteTime, () =>
      client.query("commit"),
    );
    // After a failed statement PostgreSQL answers `commit` with a rollback instead of an error.
    if (command !== "COMMIT")
      throw new Error("A statement in the transaction failed and its error was ignored");
  } catch (error) {
    transaction?.end();
    // An abandoned statement would delay the rollback, and hold its locks.
    const isBusy = transaction?.isBusy() === true;
    if (isBusy) await cutOff(client, transaction);
    broken = connections.afterError(error, client) || isBusy || !(await isRolledBack(client));
    throw error;
  } finally {
    // A late cancel request would hit the statement of the connection's next user.
    client.release(broken || wasCancelled() || isSpent(client, connections));
  }
  for (const next of committed) next();
  refuseUnconfirmed(client, connections);
  return result;
}

/** Milliseconds that a statement may take, excluding waits for locks if those may be long. */
function statementMsOf({ statementMs = usual.statement_timeout }: BeginOptions): number {
  return Math.ceil(Math.min(statementMs, usual.statement_timeout));
}

function beginWith(given: BeginOptions) {
  const { lockMs, idleMs = 0, writer } = given;
  const statementMs = statementMsOf(given) + (lockMs ?? 0);
  return [
    "begin",
    ...(statementMs === usual.statement_timeout
      ? []
      : [`set local statement_timeout = ${statementMs}`]),
    ...(lockMs === undefined ? [] : [`set local lock_timeout = ${lockMs}`]),
    ...(idleMs > usual.idle_in_transaction_session_timeout
      ? [`set local idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`]
      : []),
    // The value consists of an id and base64, which need no escaping.
    ...(writer === null ? [] : [`set local service.account = '${writer}'`]),
    // Behind a pooler, the connection has another process id than PostgreSQL's session.
    ...(lockMs === undefined ? [] : ["select pg_backend_pid() as pid"]),
  ].join("; ");
}

/** PostgreSQL's process id, if requested. */
function pidOf(results: pg.QueryResult | pg.QueryResult[]): number | null {
  const last: pg.QueryResult<{ pid?: number }> | undefined = [results].flat().at(-1);
  return last?.rows[0]?.pid ?? null;
}

/** Milliseconds for which cancelling is repeated at most, and between two attempts to cancel. */
const cutOffMs = { most: 1_000, pause: 20 };

/** Cancels the running statements, one after another. */
async function cutOff(client: pg.PoolClient, transaction: ReturnType<typeof untilEnd> | null) {
  const until = performance.now() + cutOffMs.most;
  while (transaction?.isBusy() === true && performance.now() < until) {
    cancelStatement(client);
    await sleep(cutOffMs.pause);
  }
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
