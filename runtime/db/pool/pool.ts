import { setTimeout as sleep } from "node:timers/promises";
import { type RequestState, writerOf } from "../../request/index.js";
import { connectMs, type DatabaseOptions } from "../connection/options.js";
import type { Transaction, TransactionOptions } from "../statement/database.js";
import type { Statement as Sent } from "../statement/joined.js";
import { fixedNames, noNames, type StatementNames } from "../statement/names.js";
import { isOutdated, lostToConcurrent, timeLimit } from "../statement/sqlstate.js";
import { mayWaitForStandby } from "../statement/unwaited.js";
import type { Origin, Runner } from "../statement/view.js";
import { cancelStatement } from "./cancel.js";
import {
  type Connections,
  isSpent,
  openConnections,
  queryableOf,
  refuseUnconfirmed,
} from "./connections.js";
import { newFairness } from "./fairness.js";
import { type Kind, newLanes, type Patience } from "./lanes.js";
import { connectBy, type SearchLimits, searchLimits } from "./search-limits.js";
import { runTransaction } from "./transaction.js";

/** A pool of connections; each running statement has one to itself. */
export interface Pool extends Omit<Runner, "read"> {
  /** Runs a plan's statement. */
  read<Row>(statement: Sent, way: PoolWay, origin: Origin): Promise<readonly Row[]>;
}

/** How the pool runs a statement. */
export interface PoolWay {
  /** Whether connections prepare the statement: at its first use, at its second, or never. */
  readonly prepared: "first" | "repeated" | "never";
  /** Whether one client's slow statements wait for each other, so that others get a connection. */
  readonly isFair: boolean;
  /** Whether it is a full-text search: few run concurrently, and each has a shorter time limit. */
  readonly isSearch: boolean;
  /** The deadline of a search by the clock of `performance.now()`; omitted for the usual limits. */
  readonly until?: number | undefined;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the ways into one pool, which share its lanes
export function openPool(options: DatabaseOptions): Pool {
  const { prepare, poolSize } = options;
  const connections = openConnections(options);
  const names = {
    ...{ first: prepare ? fixedNames() : noNames, repeated: connections.prepared },
    never: noNames,
  };
  const width = Math.max(1, Math.floor(poolSize / 2));
  // Commits may wait 15 s for a missing standby; reads need connections in the meantime.
  const forReads = Math.floor(poolSize / 5);
  const lanes = newLanes({
    width,
    writes: width - Math.min(forReads, 1),
    searches: Math.max(1, Math.floor(poolSize / 4)),
    waitMs: connectMs,
  });
  const writes = newLanes({ width: poolSize - forReads, waitMs: connectMs });
  const asWrite = <T>(work: () => Promise<T>, patience?: Patience): Promise<T> =>
    writes.run("", work, { patience });
  const fairness = newFairness({
    // Two of ten connections: the number of CPUs of the measured machine, so that other clients' reads can run.
    width: Math.max(1, Math.floor(poolSize / 4)),
    most: poolSize,
    waitMs: connectMs,
  });
  let closed: Promise<void> | undefined;

  function inLane<T>(resource: string | undefined, work: () => Promise<T>, kind: Kind): Promise<T> {
    const whole = () => (kind === "read" ? work() : asWrite(work));
    return resource === undefined ? whole() : lanes.run(resource, whole, { kind });
  }

  /** Limits slow statements per client and resource: a client's slow lists must not delay those of other clients. */
  function read<Row>(
    { text, values }: Sent,
    { prepared, isFair, isSearch, until }: PoolWay,
    { resource, request }: Origin,
  ): Promise<readonly Row[]> {
    const limits = isSearch ? searchLimits(until) : null;
    const statement = { text, values, names: names[prepared], request, limits };
    const work = () => runStatement<Row>(connections, statement);
    const kind = isSearch ? "search" : "read";
    const patience = limits === null ? undefined : { until: limits.beginsBy, most: mostQueued };
    const inTurn = () =>
      resource === undefined && !isSearch
        ? work()
        : lanes.run(resource ?? "", work, { kind, patience });
    const client = isFair && resource !== undefined ? (request?.client() ?? null) : null;
    if (client === null) return inTurn();
    return fairness.run(`${resource} ${client}`, inTurn, limits?.beginsBy);
  }

  async function transaction<T>(
    work: (connection: Transaction) => Promise<T>,
    given: TransactionOptions,
    { request, resource }: Origin,
  ): Promise<T> {
    const writer = options.notesWriter === true ? writerOf(request) : null;
    const whole = { ...given, request, writer };
    if (resource === undefined) return asWrite(() => runTransaction(connections, work, whole));
    const patience = patienceOf(given);
    const once = () => asWrite(() => runTransaction(connections, work, whole), patience);
    const runs = given.isOnce === true ? once : () => withRetries(once);
    return lanes.run(resource, () => lanes.run(transactions, runs, { patience }), {
      kind: "write",
      patience,
    });
  }

  return {
    query: <Row>(statement: Sent, { request, resource }: Origin) => {
      const whole = { ...statement, names: connections.prepared, request };
      const kind = mayWaitForStandby(statement.text) ? "write" : "read";
      return inLane(resource, () => runStatement<Row>(connections, whole), kind);
    },
    read,
    attempt: <Row>(statement: Sent, { request, resource }: Origin, onTurn?: () => void) => {
      const whole = { ...statement, names: connections.prepared, request, onTurn };
      const work = () => orNullIfLocked(runStatement<Row>(connections, whole));
      return inLane(resource, work, "write");
    },
    transaction,
    close: () => {
      closed ??= connections.close();
      return closed;
    },
  };
}

/** The lane shared by the transactions of all resources; no resource has this name. */
const transactions = "(transactions)";

/** Maximum number of queued searches, and of queued transactions per resource that may wait long for a connection. */
const mostQueued = 1_000;

/**
 * A transaction that may wait longer for a lock may wait as long for a connection, since lock holders keep connections.
 */
function patienceOf({ lockMs, waitMs = lockMs }: TransactionOptions): Patience | undefined {
  return waitMs === undefined ? undefined : { until: performance.now() + waitMs, most: mostQueued };
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly names: StatementNames;
  /** The request of the statement, for the log; null for a statement of no single request. */
  readonly request: RequestState | null;
  /** Called each time the statement gets a connection, and begins. */
  readonly onTurn?: (() => void) | undefined;
  /** The limits of a search; null or omitted for those of the session. */
  readonly limits?: SearchLimits | null;
}

async function orNullIfLocked<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (timeLimit(error) === "lock") return null;
    throw error;
  }
}

/** Runs a statement, and repeats it unprepared if its prepared form no longer matches the tables. */
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
  { text, values, names, request, onTurn, limits = null }: Statement,
): Promise<readonly Row[]> {
  const client =
    limits === null ? await connections.connect() : await connectBy(limits.beginsBy, connections);
  let broken = false;
  const cancel = () => {
    // A late cancel request would cancel the next statement on this connection.
    broken = true;
    cancelStatement(client);
  };
  const late = limits === null ? undefined : setTimeout(cancel, limits.leftMs());
  try {
    onTurn?.();
    const rows = await withRetries(() =>
      queryableOf(client, { names, request }, connections).query<Row>(text, values),
    );
    refuseUnconfirmed(client, connections);
    return rows;
  } catch (error) {
    broken = connections.afterError(error, client) || broken;
    throw error;
  } finally {
    clearTimeout(late);
    client.release(broken || isSpent(client, connections));
  }
}

const maxAttempts = 5;

/** Average pause before the first retry in milliseconds; doubles with each attempt. */
const meanPause = 20;

/**
 * Retries a statement or transaction that lost to a concurrent one and so had no effect. The pause is random, so that
 * statements that conflicted do not conflict again.
 */
async function withRetries<T>(work: () => Promise<T>, tries = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries === maxAttempts || !lostToConcurrent(error)) throw error;
  }
  await sleep(Math.random() * meanPause * 2 ** (tries - 1));
  return withRetries(work, tries + 1);
}
