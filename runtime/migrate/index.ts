export type { Difference, Drift, Unmanaged } from "./drift/compare.js";
export { findDrift } from "./drift/drift.js";
export type { ExpectedIndex, ExpectedLink, ExpectedTable } from "./drift/expected.js";
export { MigrationError, RowsInTheWay } from "./error.js";
export { type MigrationName, type MigrationSource, readMigrations } from "./files/files.js";
export { type ForgetOptions, forgetMigration } from "./forget.js";
export { type MigrateOptions, migrate } from "./migrate.js";
export { findMistakes } from "./plan.js";
export type { MigrationProgress } from "./run/run.js";
export { checkServer, type DatabaseServer } from "./server.js";
export type { MigrationTarget } from "./session/under-lock.js";
export { pendingMigrations } from "./start.js";
export {
  type HalfDone,
  inspectMigrations,
  type MigrationInspection,
  type MigrationResult,
  migrationStatus,
  type PendingMigration,
} from "./status.js";
export { type UndoOptions, type UndoResult, undoMigrations } from "./undo.js";
export { inspectUpkeep, repairUpkeep, type Upkeep, type WrongCount } from "./upkeep.js";
