import pg from "pg";
import { withoutDoubtfulHost } from "./address.js";
import type { Access, Database, Queryable, QueryMethod, Transaction } from "./database.js";
import { newLanes, type Slot } from "./lanes.js";
import { connectMs, type DatabaseOptions } from "./options.js";
import { setAll, setSession } from "./settings.js";
import { isOutdated, isUnavailable, lostToConcurrent, timeLimit } from "./sqlstate.js";
import { fixedNames, learntNames, noNames, type StatementNames } from "./statements.js";

/** A database in which each statement has its own connection while it runs. */
export function openPool(options: DatabaseOptions): Database {
  const { prepare, poolSize } = options;
  const pool = newPool(options);
  const connections: Connections = {
    connect: () =>
      pool.connect().catch((error: unknown) => {
        throw withoutDoubtfulHost(error, options.url);
      }),
    learnt: prepare ? learntNames() : noNames,
    lent: new WeakSet(),
  };
  const fixed = prepare ? fixedNames() : noNames;
  const lanes = newLanes({
    width: Math.max(1, Math.floor(poolSize / 2)),
    totalSlots: poolSize,
    waitMs: connectMs,
    isStuck: (error) => timeLimit(error) !== null,
  });
  // Where no settings can be sent, a stuck statement could not be given a time limit.
  const inLane: typeof lanes.runAnywhere = prepare
    ? lanes.runAnywhere
    : (name, work) => lanes.run(name, () => work("own"));
  let closed: Promise<void> | undefined;

  function access(inSlot: InSlot): Pick<Access, QueryMethod> {
    const run = <Row>(text: string, values: readonly unknown[], names: StatementNames) =>
      inSlot((slot) => runStatement<Row>(connections, { text, values, names, slot }));
    const query: Database["query"] = (text, values = []) => run(text, values, connections.learnt);
    return {
      query,
      browse: query,
      lookUp: (text, values = []) => run(text, values, fixed),
      search: (text, values = []) => run(text, values, noNames),
    };
  }

  return {
    ...access((work) => work("own")),
    transaction: (work) => runTransaction(connections, work),
    ofResource: (name) => ({
      ...access((work) => inLane(name, work)),
      transaction: (work) =>
        lanes.run(name, () =>
          lanes.run(transactions, () => withRetries(() => runTransaction(connections, work))),
        ),
    }),
    close: () => {
      closed ??= pool.end();
      return closed;
    },
  };
}

type InSlot = <T>(work: (slot: Slot) => Promise<T>) => Promise<T>;

/** The lane that the transactions of all resources share; no resource has this name. */
const transactions = "(transactions)";

/** What every session of the pool is limited to, in milliseconds. */
const limits = {
  statement_timeout: 10_000,
  // Another session holds the table or the record: that may last, and the connection is needed elsewhere.
  lock_timeout: 2_000,
  // A process that hangs releases its locks.
  idle_in_transaction_session_timeout: 60_000,
};

/**
 * Milliseconds that a statement may take on a borrowed connection, one beyond its resource's half, before it
 * is run again on one of that half. So a resource may use all connections as long as it is fast (measured
 * with `fsync`: a resource limited to half of ten connections had a third fewer writes).
 */
const borrowedMs = 200;

/** Longer than the server's own limit: it is reached only when the server no longer responds. */
const silenceMs = 15_000;

function newPool({ url, poolSize, prepare, log }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    query_timeout: silenceMs,
    keepAlive: true,
    // A proxy that pools by transaction would apply the settings to the next user of the connection.
    ...(prepare && { onConnect: (client) => client.query(setSession + setAll(limits)) }),
  });
  pool.on("error", ({ message }) =>
    // The pool attaches the whole client to the error.
    log?.warn({ reason: message }, "An idle database connection was lost"),
  );
  // While a connection is in use the pool does not listen, and its statement reports the loss.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

interface Connections {
  /** Takes a connection from the pool, which opens one where it may. */
  connect(): Promise<pg.PoolClient>;
  /** The names that `query` and transactions use; a connection spent by them is closed. */
  readonly learnt: StatementNames;
  /** Connections with the time limit of lent slots. */
  readonly lent: WeakSet<object>;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly names: StatementNames;
  readonly slot: Slot;
}

/** Runs a statement, again without a name where its prepared form no longer matches the tables. */
async function runStatement<Row>(
  connections: Connections,
  statement: Statement,
): Promise<readonly Row[]> {
  try {
    return await runOnce<Row>(connections, statement);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    return runOnce<Row>(connections, { ...statement, names: noNames });
  }
}

async function runOnce<Row>(
  connections: Connections,
  { text, values, names, slot }: Statement,
): Promise<readonly Row[]> {
  const { learnt } = connections;
  const client = await connections.connect();
  let broken = false;
  try {
    await setLimits(slot, client, connections);
    return await withRetries(() => queryableOf(client, names).query<Row>(text, values));
  } catch (error) {
    broken = isBroken(error);
    throw error;
  } finally {
    client.release(broken || learnt.isSpent(client));
  }
}

const maxAttempts = 3;

/** Retries a statement that lost to a concurrent transaction: it did nothing. */
async function withRetries<T>(statement: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    if (tries === maxAttempts || !lostToConcurrent(error)) throw error;
    return withRetries(statement, tries + 1);
  }
}

/** Sets the time limit of the slot; sent only when the connection had the other one. */
async function setLimits(slot: Slot, client: pg.PoolClient, { lent }: Connections): Promise<void> {
  if (lent.has(client) === (slot === "lent")) return;
  const statement_timeout = slot === "lent" ? borrowedMs : limits.statement_timeout;
  await client.query(setAll({ statement_timeout }));
  if (slot === "lent") lent.add(client);
  else lent.delete(client);
}

async function runTransaction<T>(
  connections: Connections,
  work: (connection: Transaction) => Promise<T>,
): Promise<T> {
  const { learnt } = connections;
  const client = await connections.connect();
  const committed: (() => void)[] = [];
  let broken = false;
  let result: T;
  try {
    await setLimits("own", client, connections);
    await client.query("begin");
    result = await work({
      ...queryableOf(client, learnt),
      afterCommit: (next) => committed.push(next),
    });
    const { command } = await client.query("commit");
    // PostgreSQL answers `commit` with a rollback, not an error, when a statement before it failed.
    if (command !== "COMMIT") throw new Error("A statement of the transaction failed unnoticed");
  } catch (error) {
    broken = isBroken(error) || !(await isRolledBack(client));
    throw error;
  } finally {
    client.release(broken || learnt.isSpent(client));
  }
  for (const next of committed) next();
  return result;
}

function queryableOf(client: pg.PoolClient, names: StatementNames): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
      const name = names.nameOf(text, client);
      const answer = await client.query({ text, values: [...values], ...(name && { name }) });
      if (name === undefined && answer.rows.length > 0) names.learn(text);
      return answer.rows;
    },
  };
}

/**
 * Whether the connection must not be used again: it is lost or hangs, or its prepared statements no longer
 * match the tables. A statement that was merely refused does no harm.
 */
function isBroken(error: unknown): boolean {
  if (lostToConcurrent(error) || timeLimit(error) !== null) return false;
  return isOutdated(error) || isUnavailable(error);
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
