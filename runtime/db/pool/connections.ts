import pg from "pg";
import type { RequestState } from "../../request/index.js";
import { connectionTo, withoutDoubtfulHost } from "../connection/address.js";
import { connectMs, type DatabaseOptions, usualLifetimeMs } from "../connection/options.js";
import { prepareConnection } from "../connection/prepare.js";
import { type NoteTime, timed, timeNote } from "../connection/slow.js";
import type { Queryable } from "../statement/database.js";
import { noNames, preparedNames, type StatementNames } from "../statement/names.js";
import { sendStatement } from "../statement/send.js";
import {
  isOutdated,
  isSilence,
  isUnavailable,
  isWriteRefused,
  lostToConcurrent,
  NotConfirmed,
  timeLimit,
} from "../statement/sqlstate.js";
import { valueTypes } from "../statement/values.js";
import { cancelStatement } from "./cancel.js";
import { type LockWatch, newLockWatch } from "./lock-watch.js";
import { pendingBeforePool } from "./pending.js";

/** The pool's connections, and their states. */
export interface Connections {
  /** Returns a connection of the pool, which opens one if permitted. */
  connect(): Promise<pg.PoolClient>;
  /**
   * Handles an error, and returns whether the connection must not be reused. If the server was silent, asks it to
   * cancel the statement and retires all connections opened before. The machine may no longer exist, and each of them
   * would delay a request by the same time.
   */
  afterError(error: unknown, client: pg.PoolClient): boolean;
  /** Statement names for `query` and transactions; a connection that has used them up is closed. */
  readonly prepared: StatementNames;
  /** Connections to a read-only server. */
  readonly readOnly: WeakSet<object>;
  /** Connections whose last commit is stored, but was not confirmed by a synchronous standby. */
  readonly unconfirmed: WeakSet<object>;
  /** Measures how long statements wait for locks. */
  readonly lockWatch: LockWatch;
  /** Logs a slow statement. */
  readonly noteTime: NoteTime;
  close(): Promise<void>;
}

export function openConnections(options: DatabaseOptions): Connections {
  const pool = newPool(options);
  const watching = newWatchingPool(options);
  const unconfirmed = new WeakSet<object>();
  pool.on("connect", (client) =>
    client.on("notice", (notice) => {
      // PostgreSQL only warns, in the language of its messages; the name of the function is always the same.
      if ("routine" in notice && notice.routine === "SyncRepWaitForLSN") unconfirmed.add(client);
    }),
  );
  options.onPool?.(() => ({
    idle: pool.idleCount,
    total: pool.totalCount,
    max: options.poolSize,
    pending: pool.waitingCount + pendingBeforePool(),
  }));
  const openedAt = new WeakMap<object, number>();
  pool.on("connect", (client) => openedAt.set(client, performance.now()));
  let silentAt = Number.NEGATIVE_INFINITY;

  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw withoutDoubtfulHost(error, options.url);
      });
      if ((openedAt.get(client) ?? 0) > silentAt) return client;
      client.release(true);
    }
  }

  return {
    connect,
    afterError: (error, client) => {
      if (isSilence(error)) {
        silentAt = performance.now();
        cancelStatement(client);
      }
      const broken = isBroken(error);
      if (broken) options.onLost?.();
      return broken;
    },
    prepared: options.prepare ? preparedNames() : noNames,
    readOnly: new WeakSet(),
    unconfirmed,
    noteTime: timeNote(options),
    lockWatch: newLockWatch((text, values) => watching.query(text, [...values])),
    close: async () => {
      await Promise.all([pool.end(), watching.end()]);
    },
  };
}

/** Limits of every session of the pool; times are in milliseconds. */
export const limits = {
  statement_timeout: 10_000,
  // A lock on a table or row may be held for long, and the connection is needed elsewhere.
  lock_timeout: 2_000,
  // A process that hangs loses its locks after this time.
  idle_in_transaction_session_timeout: 60_000,
  // Searches of many rows leave CPUs to other reads (measured with two CPUs, a million rows and 32 clients that search:
  // the slowest hundredth of single reads took 63 ms with parallel workers, 10 to 16 without).
  max_parallel_workers_per_gather: 0,
};

/**
 * Longer than `statement_timeout`, so it is reached only if the server no longer responds, or behind a pooler in
 * transaction mode, whose role may have no such limit.
 */
export const silenceMs = 15_000;

function newPool({
  url,
  poolSize,
  prepare,
  log,
  onLost,
  lifetimeMs = usualLifetimeMs,
}: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    query_timeout: silenceMs,
    keepAlive: true,
    maxLifetimeSeconds: lifetimeMs / 1_000,
    types: valueTypes,
    // A pooler in transaction mode would apply the settings to the connection's next user.
    ...(prepare && { onConnect: (client) => prepareConnection(client, limits) }),
  });
  pool.on("error", ({ message }) => {
    onLost?.();
    // Only the message is logged, because the pool attaches the whole client to the error.
    log?.warn({ reason: message }, "An idle database connection was lost");
  });
  // While a connection is in use the pool does not listen, and its statement reports the loss.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Milliseconds after which the connection that watches locks is closed if no statement waits. */
const watchedMs = 10_000;

/**
 * A pool of one connection, opened while statements are slow. It is separate because statements that wait may hold all
 * other connections.
 */
export function newWatchingPool({ url }: Pick<DatabaseOptions, "url">): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    ...{ max: 1, idleTimeoutMillis: watchedMs, allowExitOnIdle: true },
    ...{ connectionTimeoutMillis: connectMs, query_timeout: connectMs },
  });
  // The next check opens another.
  pool.on("error", () => {});
  return pool;
}

/** How the statements of one queryable are sent. */
export interface Sending {
  readonly names: StatementNames;
  /** The request or job attempt that sends the statements, for the log. */
  readonly request: RequestState | null;
  /** Milliseconds without a response after which the connection is abandoned; `silenceMs` by default. */
  readonly patienceMs?: number | undefined;
}

export function queryableOf(
  client: pg.PoolClient,
  { names, request, patienceMs }: Sending,
  { noteTime, readOnly }: Connections,
): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
      const name = names.nameOf(text, client);
      const rows = await timed({ statement: text, request }, noteTime, () =>
        sendStatement<Row & pg.QueryResultRow>(client, {
          ...{ text, values, name },
          silenceMs: patienceMs,
        }),
      ).catch((error: unknown) => {
        if (isWriteRefused(error)) readOnly.add(client);
        throw error;
      });
      if (name === undefined && rows.length > 0) names.add(text);
      return rows;
    },
  };
}

/** Whether the connection must be closed instead of returned to the pool. */
export function isSpent(client: object, { prepared, readOnly }: Connections): boolean {
  return prepared.isSpent(client) || readOnly.has(client);
}

/** Throws if the last commit was not confirmed by a synchronous standby. */
export function refuseUnconfirmed(client: object, { unconfirmed }: Connections): void {
  if (unconfirmed.delete(client)) throw new NotConfirmed();
}

/**
 * Whether the connection must not be used again: it is lost or hangs, or its prepared statements no longer match the
 * tables. A refused statement does no harm.
 */
function isBroken(error: unknown): boolean {
  if (lostToConcurrent(error) || timeLimit(error) !== null) return false;
  return isOutdated(error) || isUnavailable(error);
}
