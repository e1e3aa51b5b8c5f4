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
  /** Runs one statement. Values are sent as parameters `$1`, `$2`, never as part of the text. */
  query<Row = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
  /**
   * Runs the work in a transaction, or in a savepoint of the current one, which is rolled back if the work throws. The
   * work must use only the `db` that it receives.
   */
  transaction<T>(work: (db: AppDatabase) => Promise<T>): Promise<T>;
}
