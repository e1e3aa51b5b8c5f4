// What a server needs at startup, without the code that migrates.

export { appliedMigrations, hasUnfinishedMigration, notApplied } from "./applied.js";
export { MigrationError } from "./error.js";
export type { MigrationName } from "./files/files.js";
export { migrationsOf, pendingInRelease, type Release } from "./pending.js";
