/** Runs one statement; values travel as parameters, never in the text. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The server's access to PostgreSQL. A statement is prepared once a connection, by its text. */
export interface Database extends Queryable {
  /**
   * Runs the work on one connection between `begin` and `commit`; rolls back when it throws.
   * The work must use the connection it is given, never the pool: asking for a second connection
   * while holding one can lock a busy server up.
   */
  transaction<T>(work: (connection: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
