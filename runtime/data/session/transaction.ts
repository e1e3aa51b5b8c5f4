import { isConnectionLost, type Session, type Transaction } from "../../db/index.js";
import type { AfterHook, Services } from "../../own-code/index.js";
import { type AfterHooks, runKept } from "../../resource/index.js";

/** Thrown to roll back a transaction that succeeded. */
export class Undone extends Error {}

/** Runs `work`, which may throw `Undone` to roll back. */
export async function undoable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}

/** The connection was lost before a commit was acknowledged: PostgreSQL may have committed it. */
export class UnansweredCommit extends Error {
  constructor(cause: unknown) {
    super("The connection was lost during a commit: either all of these rows are stored, or none", {
      cause,
    });
  }
}

/**
 * Runs the work in a transaction of the session; `onWait` receives the milliseconds that its
 * statements wait for locks.
 *
 * @throws {UnansweredCommit} if it is unknown whether the transaction was committed.
 */
export async function inTransaction(
  session: Session,
  work: (connection: Transaction) => Promise<void>,
  onWait?: (ms: number) => void,
): Promise<void> {
  const committed: (() => void)[] = [];
  await session.query("begin");
  try {
    const { query } = onWait === undefined ? session : await session.watched(onWait);
    await work({ query, afterCommit: (next) => committed.push(next) });
    await session.query("commit").catch((error) => {
      throw isConnectionLost(error) ? new UnansweredCommit(error) : error;
    });
  } catch (error) {
    await session.query("rollback").catch(() => {});
    throw error;
  }
  for (const next of committed) next();
}

interface Committed {
  readonly session: Session;
  readonly services: Services;
  readonly after: AfterHooks;
}

/** Runs the hooks that wait for the commit, and waits for their end. */
export async function runAfter({ session, services, after }: Committed): Promise<void> {
  await runKept(session, services, async (hooks: readonly AfterHook[]) => {
    after.runAfter(hooks);
    await after.idle();
  });
}
