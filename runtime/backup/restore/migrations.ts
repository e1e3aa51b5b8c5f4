import { type MigrationFile, type MigrationName, migrationKey } from "../../migrate/index.js";
import { sqlPath } from "../../values/schema/history/migration-paths.js";
import { oneLine } from "../../values/text.js";
import type { ArchivedMigration } from "../archive/manifest.js";
import { BackupProblem } from "../archive/problem.js";

/** The app's migrations, split by whether the archive's tables already include them. */
export interface SplitMigrations {
  readonly earlier: readonly MigrationFile[];
  readonly later: readonly MigrationFile[];
}

/**
 * Compares an archive's migrations with the app's.
 *
 * @throws {BackupProblem} listing the migrations that the app lacks.
 */
export function splitMigrations(
  files: readonly MigrationFile[],
  archived: readonly ArchivedMigration[],
): SplitMigrations {
  const byKey = new Map(files.map((file) => [migrationKey(file), file]));
  const unknown = archived.filter((one) => !byKey.has(migrationKey(one)));
  if (unknown.length > 0) {
    throw new BackupProblem(
      `The archive has migrations that this app does not have: ${unknown.map(described).join(", ")}`,
      "restore it with the release of the app that made it, or a later one",
    );
  }
  const changed = archived.filter((one) => byKey.get(migrationKey(one))?.checksum !== one.checksum);
  if (changed.length > 0) {
    throw new BackupProblem(
      `Migrations of the archive have other contents in this app: ${changed.map(described).join(", ")}`,
      "restore it with the app that made it",
    );
  }
  const applied = new Set(archived.map(migrationKey));
  const isEarlier = (file: MigrationFile) => applied.has(migrationKey(file));
  return {
    earlier: files.filter(isEarlier),
    later: files.filter((file) => !isEarlier(file)),
  };
}

export function described({ source, name }: MigrationName): string {
  const shown = oneLine(name);
  return source === "app" ? sqlPath(shown) : `${shown} of the package`;
}
