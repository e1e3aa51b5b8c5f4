/** Runs one statement; values travel as parameters, never in the text. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** One connection between `begin` and `commit`. */
export interface Transaction extends Queryable {
  /** Runs the work, which must not throw, once the transaction is committed; never after a rollback. */
  afterCommit(work: () => void): void;
}

/** Ways to ask PostgreSQL. What `query` is asked again and again is prepared, and its plan serves all values. */
export interface Access extends Queryable {
  /**
   * A read that finds its rows by unique keys, so that it is always quick, in a text of which there
   * are few: look-ups are sent as they come, none waiting for another's answer, and prepared at once.
   * A write is refused.
   */
  lookUp<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * A read of some rows that an index has ready in their order, so that it is quick as long as they are
   * not huge: sent as look-ups are, over a connection beside theirs.
   */
  browse<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A statement whose best plan depends on its values: it is planned for them each time. */
  search<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * Runs the work on one connection between `begin` and `commit`; rolls back when it throws.
   * The work must use the connection it is given, never the pool: asking for a second connection
   * while holding one can lock a busy server up.
   */
  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T>;
}

/** The server's access to PostgreSQL. */
export interface Database extends Access {
  /**
   * For requests about one resource: together they hold at most half of the pool's connections, and of
   * the rest what nobody else wants for a fifth of a second each, so that a table that is locked leaves
   * it to the others. Transactions, in which code of the app's own
   * may run, hold at most half over all resources; one that lost to a concurrent one is run again.
   */
  ofResource(name: string): Access;
  close(): Promise<void>;
}

/** The ways to ask a database one statement. */
export type QueryMethod = "query" | "lookUp" | "browse" | "search";
