import { type Queryable, setSession } from "../../db/index.js";

/**
 * Resets the connection to the settings with which every step begins:
 * - SQL from pg_dump sets the search path and more for its session.
 * - A role called `service` would create the app's tables in that schema.
 * - Time limits for requests would interrupt a migration.
 * - With some databases' settings, a backslash in a string has another meaning, or a number loses its last digits.
 * - A migration changes how records are stored, so `updated_at` stays unless a statement sets it.
 */
export async function resetSession(db: Queryable): Promise<void> {
  await db.query(`reset role; reset all; set service.keeps_updated_at to on; ${setSession}`);
}

/** Runs the work between `begin` and `commit`; rolls back if it throws. */
export async function inTransaction<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  await db.query("begin");
  try {
    const result = await work();
    await db.query("commit");
    return result;
  } catch (error) {
    // After a lost connection, a rollback is impossible and unnecessary.
    await db.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * Like `inTransaction`, but fails if a lock is not acquired within a tenth of a second: sessions that need the table
 * queue behind this one.
 */
export function inTransactionWithLockTimeout<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, async () => {
    await db.query("set local lock_timeout to '100ms'");
    // A session that has waited this long cancels an autovacuum; not every role may change the setting.
    await db.query(
      `select set_config('deadlock_timeout', '50ms', true)
       where has_parameter_privilege(current_user, 'deadlock_timeout', 'set')`,
    );
    return work();
  });
}
