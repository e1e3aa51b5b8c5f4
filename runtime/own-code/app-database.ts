/** The app's own way to PostgreSQL: `app.db`, `context.db`. */
export interface AppDatabase {
  /** Runs one statement; values are sent as parameters `$1`, `$2`, never in the text. */
  query<Row = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<readonly Row[]>;
  /**
   * Runs the work in a transaction, or in a savepoint of the current one; it is undone when the work throws. The work
   * must use only the database that it is given.
   */
  transaction<T>(work: (db: AppDatabase) => Promise<T>): Promise<T>;
}
