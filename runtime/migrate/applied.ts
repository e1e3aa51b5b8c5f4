import type { Access } from "../db/index.js";
import { type MigrationName, migrationKey } from "./files/files.js";

/** Reads the applied migrations in a running server, whose database always has their table. */
export function appliedMigrations(db: Pick<Access, "read">): Promise<readonly MigrationName[]> {
  return db.read<MigrationName>({
    text: "select source, name from service.migrations",
    values: [],
    cost: "key",
  });
}

/** Returns the migrations of `expected` that are not applied. */
export function notApplied(
  expected: readonly MigrationName[],
  applied: readonly MigrationName[],
): readonly MigrationName[] {
  const keys = new Set(applied.map(migrationKey));
  return expected.filter((one) => !keys.has(migrationKey(one)));
}

/** Whether applying or undoing a migration was started and not finished. */
export async function hasUnfinishedMigration(db: Pick<Access, "read">): Promise<boolean> {
  const rows = await db.read({
    text: "select name from service.migration_steps limit 1",
    values: [],
    cost: "key",
  });
  return rows.length > 0;
}
