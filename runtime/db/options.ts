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

/**
 * Names without a schema are the app's, in `public`. PostgreSQL would look first into the schema
 * that is called like the role, and a role may well be called `service` as the runtime's schema is.
 * Nor is a statement worth compiling: it takes longer than the quickest of ours run.
 */
export const sessionSettings = "-c search_path=public -c jit=off";
