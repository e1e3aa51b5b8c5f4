import pg from "pg";
import type { Database, Queryable } from "./database.js";
import { isUnavailable, lostToConcurrent, sqlState } from "./sqlstate.js";
import { noNames, numberedNames, type StatementNames } from "./statements.js";

export interface DatabaseOptions {
  readonly url: string;
  /** The most connections at once. */
  readonly poolSize: number;
  /** False behind a proxy that pools by transaction. */
  readonly prepare: boolean;
  /** Hears of idle connections that were lost. */
  readonly log?: DatabaseLog;
}

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/**
 * Opens a pool; connections are made when they are needed, so this succeeds while the database is
 * down, and the pool is back at work when it is up again. Errors that mean "down" or "too busy"
 * are those for which `isUnavailable` is true.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options);
  const names = options.prepare ? numberedNames() : noNames;
  let closed: Promise<void> | undefined;
  return {
    query: (text, values = []) => runStatement(pool, names, text, values),
    transaction: (work) => runTransaction(pool, names, work),
    close: () => {
      closed ??= pool.end();
      return closed;
    },
  };
}

const connectMs = 5_000;
const statementMs = 10_000;

/** Longer than the server's own limit: it strikes only when the server cannot be heard any more. */
const silenceMs = 15_000;

/**
 * Names without a schema are the app's, in `public`. PostgreSQL would look first into the schema
 * that is called like the role, and a role may well be called `service` as the runtime's schema is.
 */
const appSchema = "-c search_path=public";

function openPool({ url, poolSize, prepare, log }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    query_timeout: silenceMs,
    keepAlive: true,
    // Such proxies refuse settings at the start of a connection.
    ...(prepare && { statement_timeout: statementMs, options: appSchema }),
  });
  pool.on("error", ({ message }) =>
    // The pool hangs the whole client on the error.
    log?.warn({ reason: message }, "An idle database connection was lost"),
  );
  // While a connection is in use the pool does not listen, and its statement reports the loss.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

async function runStatement<Row>(
  pool: pg.Pool,
  names: StatementNames,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await repeated(() => queryableOf(client, names).query<Row>(text, values));
  } catch (error) {
    broken = isBroken(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

const mostTries = 3;

/** A statement of its own that lost to a concurrent one did nothing, so it may be tried again. */
async function repeated<T>(statement: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    if (tries === mostTries || !lostToConcurrent(error)) throw error;
    return repeated(statement, tries + 1);
  }
}

async function runTransaction<T>(
  pool: pg.Pool,
  names: StatementNames,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("begin");
    const result = await work(queryableOf(client, names));
    const { command } = await client.query("commit");
    // PostgreSQL answers `commit` with a rollback, not an error, when a statement before it failed.
    if (command !== "COMMIT") throw new Error("A statement of the transaction failed unnoticed");
    return result;
  } catch (error) {
    broken = isBroken(error) || !(await isRolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

function queryableOf(client: pg.PoolClient, names: StatementNames): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
      const name = names.nameOf(text);
      const answer = await client.query({ text, values: [...values], ...(name && { name }) });
      if (name === undefined && answer.rows.length > 0) names.learn(text);
      return answer.rows;
    },
  };
}

/**
 * Whether the connection must not be used again: it is lost or hangs, or what it has prepared no
 * longer fits the tables (0A000, 26000). A statement that was merely refused leaves it whole.
 */
function isBroken(error: unknown): boolean {
  const state = sqlState(error);
  const isOutdated = state === "0A000" || state === "26000";
  return isOutdated || (isUnavailable(error) && !lostToConcurrent(error));
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
