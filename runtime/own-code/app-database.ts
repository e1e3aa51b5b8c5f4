/**
 * The app's access to PostgreSQL: `app.db`, `context.db`.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({});
 * const late = "update tasks set status = 'open' where status = 'started' and due_on < $1";
 * await app.db.query(late, ["2026-01-31"]);
 * await app.close();
 * ```
 */
export interface AppDatabase {
  /** Runs one statement. Values are sent as parameters `$1`, `$2`, and are never part of the text. */
  query<Row = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
  /**
   * Runs the work in a transaction, or in a savepoint of the current one; it is rolled back if the work throws. The
   * work must use only the `db` that it receives.
   */
  transaction<T>(work: (db: AppDatabase) => Promise<T>): Promise<T>;
}

/**
 * Options of `app.transaction`.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({});
 * await app.transaction(
 *   async ({ resources }) => {
 *     const { data } = await resources.tasks.list({ where: { status: "open" }, perPage: 10 });
 *     for (const { id } of data) await resources.tasks.update(id, { status: "started" });
 *   },
 *   { again: 3 },
 * );
 * await app.close();
 * ```
 */
export interface TransactionOptions {
  /**
   * The number of retries, from 0 to 10; 0 by default. The work is retried after a deadlock, and if another transaction
   * changed a record that it has read and then writes. In a retry, `get` locks the records that it returns.
   */
  readonly again?: number;
}
