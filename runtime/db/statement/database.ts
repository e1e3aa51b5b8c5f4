import type { RequestState } from "../../request/index.js";
import type { RowCache } from "../cache/row-cache.js";

/** Runs one statement; values are sent as parameters, never in the text. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** One connection between `begin` and `commit`. */
export interface Transaction extends Queryable {
  /** Runs the work, which must not throw, once the transaction is committed; never after a rollback. */
  afterCommit(work: () => void): void;
}

/**
 * Ways to run statements. Those that `query` runs repeatedly are prepared: PostgreSQL then uses a generic plan,
 * unless it finds plans for the values cheaper.
 */
export interface Access extends Queryable {
  /**
   * A read by unique keys, which is always fast, in one of a few texts: look-ups are pipelined, so that none
   * waits for another's answer, and prepared at their first use. A write is refused.
   */
  lookUp<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * A read of some rows in the order of an index, which is fast unless they are huge: pipelined like
   * look-ups, on a separate connection.
   */
  browse<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * A read of some rows that no index may help to find or sort: prepared like those of `query`. While several clients
   * ask, one client's slow reads of a resource by it and by the next three use a quarter of the connections at once.
   */
  list<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * A read whose best plan depends on its values: it is planned each time. Identical ones on a resource run one at a
   * time, and callers that arrive during a run share the next one.
   */
  search<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * A read by an index of an unknown number of rows: prepared like those of `query`, and shared like those of `search`.
   */
  find<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A search that may read very many rows for an answer of a few. */
  aggregate<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * A statement that itself limits how long it waits for a lock: null where it has reached that limit, when it has
   * done nothing.
   * `onTurn` is called each time when it has a connection, and begins.
   */
  attempt<Row>(
    text: string,
    values?: readonly unknown[],
    onTurn?: () => void,
  ): Promise<readonly Row[] | null>;
  /**
   * Runs the work on one connection between `begin` and `commit`; rolls back when it throws.
   * The work must use the connection that it is given, never the pool: acquiring a second connection
   * while holding one can deadlock a busy server.
   */
  transaction<T>(
    work: (connection: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
}

export interface TransactionOptions {
  /** Milliseconds that a statement may take, where the session's own limit is longer. */
  readonly statementMs?: number;
  /**
   * Milliseconds that it may wait for a connection, and each statement for a lock, where those are more than usual; such
   * waits do not count in `statementMs`.
   */
  readonly lockMs?: number;
  /** Milliseconds that it waits for a connection; 5 s by default, or `lockMs` where that is given. */
  readonly waitMs?: number;
  /** Called with milliseconds that a statement has waited for a lock, again and again; only where `lockMs` is given. */
  readonly onWait?: (ms: number) => void;
  /** Milliseconds that may pass between two statements, where the session's own limit is shorter. */
  readonly idleMs?: number;
  /** Not run again when it loses to a concurrent one. */
  readonly isOnce?: boolean;
}

/** The server's access to PostgreSQL. */
export interface Database extends Access {
  /**
   * For requests on one resource: together they hold at most half of the pool's connections, so that a locked table does
   * not block the other resources.
   * Transactions, in which the app's own code may run, hold at most half of the pool over all resources; one
   * that fails because of a concurrent one is retried.
   */
  ofResource(name: string): Access;
  /**
   * For statements of that request: they are logged and timed as its own, take turns with those of other clients, and its
   * transactions note who writes. For null the one for statements of no request, the same object each time.
   */
  of(request: RequestState | null): Database;
  /** Left out within a transaction, which sees what nobody else does, and behind a proxy that hides lost connections. */
  readonly cache?: RowCache;
  close(): Promise<void>;
}

/** The ways to run one statement on a database. */
export type QueryMethod = "query" | "lookUp" | "browse" | "list" | "find" | "search" | "aggregate";
