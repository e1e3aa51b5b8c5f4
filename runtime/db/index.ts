export type { Database, Queryable, Way } from "./database.js";
export { EmbeddedError } from "./embedded/error.js";
export { type Embedded, type EmbeddedOptions, startEmbedded } from "./embedded/load.js";
export { MigrationError } from "./migrate/error.js";
export type { MigrationName, MigrationSource } from "./migrate/files.js";
export {
  type MigrateOptions,
  type MigrationResult,
  type MigrationTarget,
  migrate,
  migrationStatus,
  pendingMigrations,
} from "./migrate/migrate.js";
export { openDatabase } from "./open.js";
export type { DatabaseLog, DatabaseOptions } from "./options.js";
export { checkServer, type DatabaseServer } from "./server.js";
export {
  type BrokenLink,
  foreignKeyViolation,
  isAddressRefused,
  isUnavailable,
  uniqueViolation,
} from "./sqlstate.js";
export { inspectUpkeep, repairUpkeep, type Upkeep, type WrongCount } from "./upkeep.js";
