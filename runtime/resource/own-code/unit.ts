import {
  type Access,
  databaseWithin,
  isConnectionLost,
  lostToConcurrent,
  type Transaction,
} from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Actor, Budget, Reads, Services, Unit } from "../../own-code/index.js";
import { forgetReads, Overtaken, throwLost } from "./reads.js";
import { mostAgain, runAgain } from "./run-again.js";

/** Seconds for `Retry-After`. */
export const retryAfter = 2;

/** The minimum timeout of a statement in milliseconds. */
const minStatementMs = 2_000;

/**
 * The maximum wait in milliseconds: of a transaction for a connection, of a statement for a lock, and of all hooks of a
 * request for locks beyond their own time.
 */
const lockMs = 30_000;

interface UnitOptions {
  readonly access: Pick<Access, "transaction">;
  /** Whether the transaction is not retried after losing to a concurrent one. */
  readonly isOnce?: boolean;
  /** Milliseconds that app code may take between two statements, if longer than usual. */
  readonly idleMs?: number;
  /** Milliseconds that the transaction waits for a connection, if longer than usual. */
  readonly waitMs?: number;
  /** The number of retries if app code is overtaken. */
  readonly again?: number;
}

type Work<T> = (inner: Actor, connection: Transaction) => Promise<T>;

/**
 * Runs the work in a transaction in which app code may run; within such a transaction, in a savepoint. The work
 * receives an actor whose database is the transaction. If another transaction changes a record that the app code has
 * read and then writes, the work is rolled back and retried. *After* hooks run after the outermost transaction commits.
 */
export function inUnit<T>(
  actor: Actor,
  { access, again = mostAgain, ...options }: UnitOptions,
  work: Work<T>,
): Promise<T> {
  const { unit, services } = actor;
  if (unit !== undefined) {
    return runAgain(actor, { most: again }, (reads) =>
      inSavepoint({ ...actor, unit, reads }, access, work),
    );
  }
  const { appCode, config } = services;
  if (appCode.isBusy()) refuse("UNAVAILABLE", { retryAfter });
  const hookMs = config.server.hookTimeoutSeconds * 1_000;
  // Shared by all attempts.
  const budget = newBudget(services);
  let current: Unit | null = null;
  const onWait = (ms: number): void => {
    if (current === null || current.depth === 0) return;
    const added = Math.min(ms, budget.mayWait);
    budget.mayWait -= added;
    budget.left += added;
  };
  const run = async (connection: Transaction, reads: Reads): Promise<T> => {
    forgetReads(reads);
    const unit: Unit = {
      outer: actor.outer ?? services,
      budget,
      cut: new AbortController(),
      after: [],
      depth: 0,
      fatal: null,
      ours: new WeakSet(),
      isOver: false,
    };
    current = unit;
    try {
      const watched = watch(connection, unit);
      const result = await work(actorWithin({ ...actor, unit, reads }, watched), watched);
      if (unit.fatal !== null) throw unit.fatal.error;
      throwLost(reads);
      if (unit.after.length > 0) connection.afterCommit(() => appCode.runAfter(unit.after));
      return result;
    } catch (error) {
      // Work that the pool may not retry counts a deadlock among its retries.
      if (options.isOnce === true && lostToConcurrent(error)) reads.lost ??= new Overtaken();
      throw error;
    } finally {
      unit.isOver = true;
    }
  };
  const statementMs = Math.max(hookMs, minStatementMs);
  const given = hasAppCode(services) ? { ...{ statementMs, lockMs, ...options }, onWait } : options;
  return runAgain(actor, { most: again }, (reads) =>
    access.transaction((connection) => run(connection, reads), given),
  );
}

/** Creates the time budget of one request, or of one row of a file. */
export function newBudget({ config }: Pick<Services, "config">): Budget {
  return { left: config.server.hookTimeoutSeconds * 1_000, mayWait: lockMs };
}

function hasAppCode({ appCode: { policies, hooks } }: Services): boolean {
  return Object.keys(hooks).length > 0 || Object.keys(policies).length > 0;
}

async function inSavepoint<T>(
  actor: Actor & { readonly unit: Unit },
  access: UnitOptions["access"],
  work: Work<T>,
): Promise<T> {
  const { unit } = actor;
  return access.transaction(async (connection) => {
    const before = unit.after.length;
    try {
      const result = await work(actorWithin(actor, connection), connection);
      throwLost(actor.reads);
      return result;
    } catch (error) {
      unit.after.length = before;
      throw error;
    }
  });
}

function actorWithin(actor: Actor, connection: Transaction): Actor {
  const db = databaseWithin(connection);
  return { ...actor, services: { ...actor.services, db } };
}

/** Records errors of statements, because app code may catch or replace an error that ends the transaction. */
function watch({ query, afterCommit }: Transaction, unit: Unit): Transaction {
  return {
    afterCommit,
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (unit.fatal !== null) throw unit.fatal.error;
      try {
        return await query<Row>(text, values);
      } catch (error) {
        if (error instanceof Error) unit.ours.add(error);
        if (lostToConcurrent(error) || isConnectionLost(error)) unit.fatal ??= { error };
        throw error;
      }
    },
  };
}
