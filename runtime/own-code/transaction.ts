/** Options of `app.transaction`. */
export interface TransactionOptions {
  /**
   * Retries of the work, from 0 to 10, 0 by default. It is retried after a deadlock, and after another transaction has
   * changed a record that it has read and then writes. In a retry `get` locks the records that it returns.
   */
  readonly again?: number;
}
