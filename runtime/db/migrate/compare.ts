import { MigrationError } from "./error.js";
import type { MigrationFile, MigrationName } from "./files.js";
import type { LedgerRow } from "./ledger.js";

/**
 * The files that the database has not seen, in the order to apply them: by name, so that one which
 * a merge brought in under an older number is applied too.
 *
 * @throws {MigrationError} when a file that was applied has changed or is gone.
 */
export function pendingOf(
  files: readonly MigrationFile[],
  ledger: readonly LedgerRow[],
): readonly MigrationFile[] {
  const byName = new Map(files.map((file) => [keyOf(file), file]));
  for (const row of ledger) {
    const file = byName.get(keyOf(row));
    if (file === undefined) throw missing(row);
    if (file.checksum !== row.checksum) throw changed(file);
  }
  const applied = new Set(ledger.map(keyOf));
  return files.filter((file) => !applied.has(keyOf(file)));
}

function keyOf({ source, name }: MigrationName): string {
  return `${source}/${name}`;
}

function missing({ source, name }: LedgerRow): MigrationError {
  if (source === "app") {
    return new MigrationError(
      `migrations/${name}.sql was applied to this database, but the file is gone`,
      "Restore the file from version control, or check that this is the database of this app",
    );
  }
  return new MigrationError(
    `This database was migrated by a newer version of the package (it has ${name})`,
    "Install that version or a later one",
  );
}

function changed(file: MigrationFile): MigrationError {
  if (file.source === "app") {
    return new MigrationError(
      `${file.path} was changed after it had been applied to this database`,
      "Undo the change; what is applied can only be changed by a further migration",
    );
  }
  return new MigrationError(
    `${file.path} of the package is not the file that was applied to this database`,
    "Install the package again",
  );
}
