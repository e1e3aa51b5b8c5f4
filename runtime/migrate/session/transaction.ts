import { type Queryable, setSession } from "../../db/index.js";

/**
 * Resets the connection to the settings that every step begins with. A dump sets the search path and more for
 * its session; a role called `service` would create the app's tables in the schema of that name; time limits
 * that suit a server's requests would interrupt a migration; and with some databases' settings a backslash
 * in a string means something else, or a number loses its last digits. A migration changes how records are stored: when
 * they were changed is left as it is, unless a statement sets it.
 */
export async function resetSession(db: Queryable): Promise<void> {
  await db.query(`reset role; reset all; set service.keeps_updated_at to on; ${setSession}`);
}

/** Runs the work between `begin` and `commit`; rolls back when it throws. */
export async function inTransaction<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  await db.query("begin");
  try {
    const result = await work();
    await db.query("commit");
    return result;
  } catch (error) {
    // A lost connection cannot roll back, and need not.
    await db.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * Does what `inTransaction` does, and gives up a lock that it does not acquire within a tenth of a second:
 * until then sessions that want the table are queued behind this one.
 */
export function inTransactionWithLockTimeout<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, async () => {
    await db.query("set local lock_timeout to '100ms'");
    // An autovacuum is cancelled for a session that has waited this long; not every role may set it.
    await db.query(
      `select set_config('deadlock_timeout', '50ms', true)
       where has_parameter_privilege(current_user, 'deadlock_timeout', 'set')`,
    );
    return work();
  });
}
