import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";
import type { OnWarning } from "./connect.js";

/**
 * Takes the lock of whoever changes the schema; held until the connection ends. It is asked for again
 * and again: a statement that waits for it has a snapshot, and the index that the holder builds
 * concurrently would wait for that snapshot in turn.
 */
export async function takeMigrationLock(db: Queryable, onWarning: OnWarning): Promise<void> {
  for (let told = false; !(await tryLock(db)); told = true) {
    if (!told) onWarning("Another migrate is under way on this database; waiting for its end");
    await sleep(askAgainMs);
  }
}

async function tryLock(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    migrating,
  ]);
  return row?.taken ?? false;
}

const askAgainMs = 200;

/** The advisory lock of whoever changes the schema. */
const migrating = 7_364_003;
