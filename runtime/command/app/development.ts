import { CommandRefused } from "../exit.js";

/** The development database of an app that configures none. */
export interface DevelopmentDatabase {
  /**
   * Starts the database if no other command has; `stop` stops it if no other command uses it.
   *
   * @throws {DevelopmentDatabaseError} if it cannot be started.
   */
  start(root: string): Promise<StartedDatabase>;
  /** Returns the location of the database, which need not exist yet. */
  locate(root: string): Promise<LocatedDatabase>;
}

export interface StartedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

export interface LocatedDatabase {
  readonly url: string;
  readonly isRunning: boolean;
}

/** The reason why there is no development database; the hint tells the user how to fix it. */
export class DevelopmentDatabaseError extends CommandRefused {
  override readonly hint: string;

  constructor(message: string, hint: string) {
    super(message, hint);
    this.hint = hint;
  }
}

let development: DevelopmentDatabase | null = null;

export function setDevelopmentDatabase(database: DevelopmentDatabase | null): void {
  development = database;
}

/**
 * Returns the development database.
 *
 * @throws {DevelopmentDatabaseError} in an installation without one, as in production.
 */
export function developmentDatabase(): DevelopmentDatabase {
  if (development !== null) return development;
  throw new DevelopmentDatabaseError(
    "DATABASE_URL is not set",
    "set it to a PostgreSQL address; only service-cli, a development dependency, starts a database of its own",
  );
}
