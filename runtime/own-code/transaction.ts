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
   * Retries of the work, from 0 to 10, 0 by default. It is retried after a deadlock, and after another transaction has
   * changed a record that it has read and then writes. In a retry `get` locks the records that it returns.
   */
  readonly again?: number;
}
