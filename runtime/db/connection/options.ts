export interface DatabaseOptions {
  readonly url: string;
  /** The maximum of connections in the pool; look-ups and pages use one more each. */
  readonly poolSize: number;
  /** False behind a proxy that pools by transaction: no statements are prepared, and no session settings are sent. */
  readonly prepare: boolean;
  /** Milliseconds from which a statement is logged; none is by default. */
  readonly slowMs?: number;
  /** Called with each statement that is logged as slow. */
  readonly onSlow?: (statement: string, milliseconds: number) => void;
  /** Called once, with a function that returns the numbers of the pool. */
  readonly onPool?: (numbers: () => PoolNumbers) => void;
  /** Called when a connection is lost. */
  readonly onLost?: () => void;
  /** Milliseconds after which a connection is replaced; 30 minutes by default. */
  readonly lifetimeMs?: number;
  /** Whether requests are told how long they wait for the database. */
  readonly isTimed?: boolean;
  /** Whether transactions note who writes, for the log of changes: see `writerOf`. */
  readonly notesWriter?: boolean;
  /** Receives lost connections, and slow statements without their values. */
  readonly log?: DatabaseLog;
}

/** The connections of a pool. */
export interface PoolNumbers {
  readonly idle: number;
  readonly total: number;
  readonly max: number;
  /** How many wait for a connection. */
  readonly pending: number;
}

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/**
 * Milliseconds for which a connection is used: after a change of the address that a name stands for, or of the servers
 * behind a balancer, none stays where it was. It also frees what PostgreSQL keeps for old sessions.
 */
export const usualLifetimeMs = 30 * 60_000;

/** Milliseconds to reach the server, or to wait for a free connection of the pool. */
export const connectMs = 5_000;
