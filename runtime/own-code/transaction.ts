/** How `app.transaction` runs. */
export interface TransactionOptions {
  /**
   * How often the work is run again, 0 to 10, when it loses to another transaction, which changed what the work has read
   * and writes, or met it in a deadlock; 0 by default. `get` then locks what it returns.
   */
  readonly again?: number;
}
