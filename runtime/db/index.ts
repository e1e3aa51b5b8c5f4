export { type DatabaseAddress, readAddress } from "./address.js";
export { connectionProblem, type DatabaseProblem } from "./connection-problem.js";
export type { Access, Database, Queryable, Transaction, Way } from "./database.js";
export type { Difference, Drift, Unmanaged } from "./drift/compare.js";
export { findDrift } from "./drift/drift.js";
export type { ExpectedIndex, ExpectedLink, ExpectedTable } from "./drift/expected.js";
export { EmbeddedError } from "./embedded/error.js";
export {
  type Embedded,
  type EmbeddedOptions,
  locateEmbedded,
  startEmbedded,
} from "./embedded/load.js";
export { MigrationError, RowsInTheWay } from "./migrate/error.js";
export { type MigrationName, type MigrationSource, readMigrations } from "./migrate/files.js";
export { type ForgetOptions, forgetMigration } from "./migrate/forget.js";
export { type MigrateOptions, migrate } from "./migrate/migrate.js";
export { findMistakes } from "./migrate/plan.js";
export type { MigrationProgress } from "./migrate/run.js";
export { pendingMigrations } from "./migrate/start.js";
export {
  type HalfDone,
  inspectMigrations,
  type MigrationInspection,
  type MigrationResult,
  migrationStatus,
  type PendingMigration,
} from "./migrate/status.js";
export type { MigrationTarget } from "./migrate/under-lock.js";
export { type UndoOptions, type UndoResult, undoMigrations } from "./migrate/undo.js";
export { openDatabase } from "./open.js";
export type { DatabaseLog, DatabaseOptions } from "./options.js";
export { checkServer, type DatabaseServer } from "./server.js";
export {
  type BrokenLink,
  foreignKeyViolation,
  isTooWide,
  isUnavailable,
  uniqueViolation,
} from "./sqlstate.js";
export { inspectUpkeep, repairUpkeep, type Upkeep, type WrongCount } from "./upkeep.js";
