import type { RequestState } from "../../request/index.js";
import type { Plan } from "./plan.js";

/** Runs one statement; values are sent as parameters, never in the text. */
export interface Queryable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** One connection between `begin` and `commit`. */
export interface Transaction extends Queryable {
  /** Runs the work, which must not throw, after the commit; never after a rollback. */
  afterCommit(work: () => void): void;
}

/** Runs statements. */
export interface Access extends Queryable {
  /** Runs a read; `runtime/db/run/` decides how. */
  read<Row>(plan: Plan): Promise<readonly Row[]>;
  /**
   * Runs a statement that sets its own lock timeout; null if the timeout was reached, so that the statement had no
   * effect. `onTurn` is called each time the statement gets a connection and starts.
   */
  attempt<Row>(
    text: string,
    values?: readonly unknown[],
    onTurn?: () => void,
  ): Promise<readonly Row[] | null>;
  /**
   * Runs `work` on one connection between `begin` and `commit`; rolls back if it throws. `work` must use only the
   * connection that it receives: acquiring a second connection while holding one can deadlock a busy server.
   */
  transaction<T>(
    work: (connection: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
}

export interface TransactionOptions {
  /** Milliseconds that a statement may take, if the session's own limit is longer. */
  readonly statementMs?: number;
  /**
   * Milliseconds that the transaction may wait for a connection, and each statement for a lock, if longer than usual.
   * These waits do not count toward `statementMs`.
   */
  readonly lockMs?: number;
  /** Milliseconds that the transaction waits for a connection; by default `lockMs`, or else 5 s. */
  readonly waitMs?: number;
  /** Called repeatedly with milliseconds that a statement has waited for a lock; only with `lockMs`. */
  readonly onWait?: (ms: number) => void;
  /** Milliseconds allowed between two statements, if the session's limit is shorter. */
  readonly idleMs?: number;
  /** Whether the transaction is not retried after losing to a concurrent one. */
  readonly isOnce?: boolean;
}

/** The server's access to PostgreSQL. */
export interface Database extends Access {
  /**
   * For requests on one resource: together they hold at most half of the pool's connections, so that a locked table
   * does not block the other resources. Transactions, in which app code may run, hold at most half of the pool over all
   * resources; one that loses to a concurrent one is retried.
   */
  ofResource(name: string): Access;
  /**
   * For the statements of a request: they are logged and timed with it, are queued fairly with those of other clients,
   * and its transactions record the author. Null returns the database for statements of no request, always the same
   * object.
   */
  of(request: RequestState | null): Database;
  close(): Promise<void>;
}
