export type { Difference, Drift, Unmanaged } from "./drift/compare.js";
export { findDrift } from "./drift/drift.js";
export type { ExpectedTable } from "./drift/expected.js";
export { migratedTables } from "./drift/migrated.js";
export { BlockedByRows, MigrationError } from "./error.js";
export {
  type MigrationFile,
  type MigrationName,
  migrationKey,
  readMigrations,
} from "./files/files.js";
export { findStatements } from "./files/statements.js";
export { type MigrationTexts, readMigrationTexts } from "./files/texts.js";
export { forgetMigration } from "./forget.js";
export { checkMigrations } from "./history/check.js";
export { type LedgerRow, readLedger } from "./history/ledger.js";
export { type MigrateOptions, migrate } from "./migrate.js";
export { pendingMigrations } from "./pending.js";
export type { MigrationTarget } from "./run/migration-lock.js";
export { findFormatErrors } from "./run/plan.js";
export type { MigrationProgress } from "./run/run.js";
export { withMaintenanceConnection } from "./session/maintenance.js";
export { checkServer } from "./session/server.js";
export type { Trigrams } from "./session/trigrams.js";
export {
  type HalfDone,
  inspectMigrations,
  type MigrationInspection,
  type MigrationResult,
  migrationStatus,
} from "./status.js";
export { type UndoOptions, type UndoResult, undoMigrations } from "./undo.js";
export { inspectUpkeep, repairUpkeep, type Upkeep } from "./upkeep.js";
