export interface DatabaseOptions {
  readonly url: string;
  /**
   * Maximum number of connections in the pool; the pipelines for lookups and for pages use one more connection each.
   */
  readonly poolSize: number;
  /** False behind a pooler in transaction mode: no statements are prepared, and no session settings are sent. */
  readonly prepare: boolean;
  /** Statements that take at least this number of milliseconds are logged; by default none are. */
  readonly slowMs?: number;
  /** Called with each statement that is logged as slow. */
  readonly onSlow?: (statement: string, milliseconds: number) => void;
  /** Called once, with a function that returns the numbers of the pool. */
  readonly onPool?: (numbers: () => PoolNumbers) => void;
  /** Called when a connection is lost. */
  readonly onLost?: () => void;
  /** Milliseconds after which a connection is replaced; 30 minutes by default. */
  readonly lifetimeMs?: number;
  /** Whether the wait for the database is measured per request. */
  readonly isTimed?: boolean;
  /** Whether transactions record the author for the change log: see `writerOf`. */
  readonly notesWriter?: boolean;
  /** Receives lost connections, and slow statements without their values. */
  readonly log?: DatabaseLog;
}

/** The connections of a pool. */
export interface PoolNumbers {
  readonly idle: number;
  readonly total: number;
  readonly max: number;
  /** The number of callers that wait for a connection. */
  readonly pending: number;
}

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/**
 * Milliseconds for which a connection is used, so that none outlives a change of DNS, or of the servers behind a load
 * balancer. It also frees memory of old sessions in PostgreSQL.
 */
export const usualLifetimeMs = 30 * 60_000;

/** Milliseconds to reach the server, or to wait for a free connection of the pool. */
export const connectMs = 5_000;
