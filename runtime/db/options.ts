export interface DatabaseOptions {
  readonly url: string;
  /** The most connections of the pool; look-ups and pages take one more each. */
  readonly poolSize: number;
  /** False behind a proxy that pools by transaction: nothing is prepared, and no session has settings. */
  readonly prepare: boolean;
  /** Hears of connections that were lost. */
  readonly log?: DatabaseLog;
}

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/** Milliseconds to reach the server. */
export const connectMs = 5_000;
