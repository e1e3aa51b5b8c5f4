import { CommandRefused } from "../exit.js";

/** The database of an app that names none, for development. */
export interface DevelopmentDatabase {
  /**
   * Starts it, unless another command has; `stop` stops it, unless another command uses it.
   *
   * @throws {DevelopmentDatabaseError} where it cannot be started.
   */
  start(root: string): Promise<StartedDatabase>;
  /** Where it is, or would be. */
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

/** Why there is no database for development; the hint says what its user can do. */
export class DevelopmentDatabaseError extends CommandRefused {
  override readonly hint: string;

  constructor(message: string, hint: string) {
    super(message, hint);
    this.hint = hint;
  }
}

let development: DevelopmentDatabase | null = null;

/** Says how commands get a database where the app names none. */
export function setDevelopmentDatabase(database: DevelopmentDatabase | null): void {
  development = database;
}

/**
 * The database for development.
 *
 * @throws {DevelopmentDatabaseError} in an installation that has none, as in production.
 */
export function developmentDatabase(): DevelopmentDatabase {
  if (development !== null) return development;
  throw new DevelopmentDatabaseError(
    "DATABASE_URL is not set",
    "set it to a PostgreSQL address; only service-cli, a development dependency, starts a database of its own",
  );
}
