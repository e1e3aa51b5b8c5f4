import { setTimeout as sleep } from "node:timers/promises";
import { lockNumbers, type Queryable } from "../../db/index.js";
import type { MigrationFile } from "../files/files.js";
import { type OnWarning, withConnection } from "../session/connect.js";
import { refuseUnsuitableServer } from "../session/server.js";
import { resetSession } from "../session/transaction.js";
import type { MigrationProgress, Run } from "./run.js";

export interface MigrationTarget {
  readonly url: string;
  /** The app's `migrations/`; it need not exist. */
  readonly directory: string;
  /** The result of `readMigrations` for that folder, if already read. */
  readonly files?: readonly MigrationFile[];
}

/** Options of every operation that changes the schema. */
export interface RunOptions extends MigrationTarget {
  /** How long a step retries to acquire a lock, in milliseconds; by default two minutes. */
  readonly lockRetryMs?: number;
  /** Fields whose stored values may violate their JSON Schema; none by default. */
  readonly allowInvalid?: readonly string[];
  /** Receives warnings, such as an extension that is not installed or a wait for a lock. */
  readonly onWarning?: OnWarning;
  /** Called before each step. */
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/** Runs the work while no other session changes the schema. */
export function withMigrationLock<T>(
  {
    url,
    lockRetryMs = 120_000,
    allowInvalid = [],
    onWarning = () => {},
    onProgress = () => {},
  }: RunOptions,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withConnection({ url, onWarning }, async (db) => {
    await resetSession(db);
    await refuseUnsuitableServer(db);
    await takeMigrationLock(db, onWarning);
    const pid = await readProcessId(db);
    const connect: Run["connect"] = (other) => withConnection({ url, onWarning }, other);
    return work({ db, pid, connect, lockRetryMs, allowInvalid, onWarning, onProgress });
  });
}

async function readProcessId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (row === undefined) throw new Error("PostgreSQL does not report its process id");
  return row.pid;
}

/**
 * Acquires the lock for schema changes, which is held until the connection ends. It is polled: a waiting statement
 * would hold a snapshot, for which a concurrent index build of the holder would wait.
 */
export async function takeMigrationLock(db: Queryable, onWarning: OnWarning): Promise<void> {
  for (let isReported = false; !(await tryLock(db)); isReported = true) {
    if (!isReported)
      onWarning("Another migrate is running on this database; waiting for it to finish");
    await sleep(pollMs);
  }
}

async function tryLock(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    lockNumbers.migration,
  ]);
  return row?.taken ?? false;
}

const pollMs = 200;
