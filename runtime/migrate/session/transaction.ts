import { type Queryable, setSession } from "../../db/index.js";

/**
 * Puts the connection back to what every step begins with. A dump sets the search path and more for its
 * session; a role called `service` would make the app's tables in the schema of that name; limits that
 * suit a server's requests would cut a migration short; and by some databases' settings a backslash in
 * a text means something else, or a number loses its last digits.
 */
export async function resetSession(db: Queryable): Promise<void> {
  await db.query(`reset role; reset all; ${setSession}`);
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
 * As `inTransaction`, giving up a lock that is not there within a tenth of a second: whoever wants the
 * table meanwhile waits behind us.
 */
export function inTransactionWithLockTimeout<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, async () => {
    await db.query("set local lock_timeout to '100ms'");
    // An autovacuum gives way to who has waited this long; not every role may set it.
    await db.query(
      `select set_config('deadlock_timeout', '50ms', true)
       where has_parameter_privilege(current_user, 'deadlock_timeout', 'set')`,
    );
    return work();
  });
}
