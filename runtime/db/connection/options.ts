export interface DatabaseOptions {
  readonly url: string;
  /** The maximum of connections in the pool; look-ups and pages use one more each. */
  readonly poolSize: number;
  /** False behind a proxy that pools by transaction: no statements are prepared, and no session settings are sent. */
  readonly prepare: boolean;
  /** Milliseconds from which a statement is logged; none is by default. */
  readonly slowMs?: number;
  /** Receives lost connections, and slow statements without their values. */
  readonly log?: DatabaseLog;
}

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/** Milliseconds to reach the server, or to wait for a free connection of the pool. */
export const connectMs = 5_000;
