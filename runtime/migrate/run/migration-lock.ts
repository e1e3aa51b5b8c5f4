import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";
import { type OnWarning, withConnection } from "../session/connect.js";
import { refuseUnsuitableServer } from "../session/server.js";
import { resetSession } from "../session/transaction.js";
import type { MigrationProgress, Run } from "./run.js";

export interface MigrationTarget {
  readonly url: string;
  /** The app's `migrations/`; it need not exist. */
  readonly directory: string;
}

/** What every change of the schema takes. */
export interface RunOptions extends MigrationTarget {
  /** How long a step tries to get a lock that others hold, in milliseconds; two minutes. */
  readonly lockRetryMs?: number;
  /** Hears what the migrations did without, such as an extension that is not installed, and waits. */
  readonly onWarning?: OnWarning;
  /** Hears of each step before it is done. */
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/** Does the work while nobody else changes the schema. */
export function withMigrationLock<T>(
  { url, lockRetryMs = 120_000, onWarning = () => {}, onProgress = () => {} }: RunOptions,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withConnection({ url, onWarning }, async (db) => {
    await resetSession(db);
    await refuseUnsuitableServer(db);
    await takeMigrationLock(db, onWarning);
    const pid = await readProcessId(db);
    const connect: Run["connect"] = (other) => withConnection({ url, onWarning }, other);
    return work({ db, pid, connect, lockRetryMs, onWarning, onProgress });
  });
}

async function readProcessId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (row === undefined) throw new Error("PostgreSQL does not tell its process");
  return row.pid;
}

/**
 * Takes the lock of whoever changes the schema; held until the connection ends. It is asked for again
 * and again: a statement that waits for it has a snapshot, and the index that the holder builds
 * concurrently would wait for that snapshot in turn.
 */
export async function takeMigrationLock(db: Queryable, onWarning: OnWarning): Promise<void> {
  for (let told = false; !(await tryLock(db)); told = true) {
    if (!told) onWarning("Another migrate is under way on this database; waiting for its end");
    await sleep(pollMs);
  }
}

async function tryLock(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    migrationLockId,
  ]);
  return row?.taken ?? false;
}

const pollMs = 200;

/** The advisory lock of whoever changes the schema. */
const migrationLockId = 7_364_003;
