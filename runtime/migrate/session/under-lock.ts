import type { Queryable } from "../../db/index.js";
import type { MigrationProgress, Run } from "../run/run.js";
import { refuseUnfitServer } from "../server.js";
import { type OnWarning, withConnection } from "./connect.js";
import { takeMigrationLock } from "./lock.js";
import { freshSession } from "./session.js";

export interface MigrationTarget {
  readonly url: string;
  /** The app's `migrations/`; it need not exist. */
  readonly directory: string;
}

/** What every change of the schema takes. */
export interface RunOptions extends MigrationTarget {
  /** How long a step tries to get a lock that others hold, in milliseconds; two minutes. */
  readonly patienceMs?: number;
  /** Hears what the migrations did without, such as an extension that is not installed, and waits. */
  readonly onWarning?: OnWarning;
  /** Hears of each step before it is done. */
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/** Does the work while nobody else changes the schema. */
export function underLock<T>(
  { url, patienceMs = 120_000, onWarning = () => {}, onProgress = () => {} }: RunOptions,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withConnection({ url, onWarning }, async (db) => {
    await freshSession(db);
    await refuseUnfitServer(db);
    await takeMigrationLock(db, onWarning);
    const pid = await processOf(db);
    const connect: Run["connect"] = (other) => withConnection({ url, onWarning }, other);
    return work({ db, pid, connect, patienceMs, onWarning, onProgress });
  });
}

async function processOf(db: Queryable): Promise<number> {
  const [row] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  if (row === undefined) throw new Error("PostgreSQL does not tell its process");
  return row.pid;
}
