import type { Queryable } from "../db/index.js";
import { MigrationError } from "./error.js";
import {
  type MigrationFile,
  type MigrationName,
  nameOf,
  pathOf,
  readMigrations,
} from "./files/files.js";
import {
  type DatabaseHistory,
  partlyUndone,
  pendingFiles,
  readDatabaseHistory,
} from "./history/history.js";
import { missingFileError, refuseChangedFiles, withoutFile } from "./history/problems.js";
import type { OnWarning } from "./session/connect.js";
import { refuseUnsuitableServer } from "./session/server.js";

/**
 * The migrations that must be applied before a server starts on this database. `onWarning` receives those
 * that are unknown here but compatible: those of a newer release that is being rolled out.
 *
 * @throws {MigrationError} when an applied file was changed or is missing, when a newer release has changed
 * what this one needs, or when the database has settings or an encoding that the app cannot work with.
 */
export async function pendingMigrations(
  db: Queryable,
  directory: string,
  onWarning: OnWarning = () => {},
): Promise<readonly MigrationName[]> {
  await refuseUnsuitableServer(db);
  const files = await readMigrations(directory);
  const history = await readDatabaseHistory(db);
  refuseChangedFiles(files, history);
  for (const warning of newerThan(files, history)) onWarning(warning);
  const undone = partlyUndone(history);
  const pending = [...(undone === null ? [] : [undone]), ...pendingFiles(files, history)];
  return pending.map(nameOf);
}

/** A sentence for each applied migration that has no file here, where this release can work with it. */
function newerThan(files: readonly MigrationFile[], history: DatabaseHistory): readonly string[] {
  const hasOwn = files.some(({ source }) => source === "app");
  const unknown = withoutFile(files, history);
  for (const row of unknown) {
    // Its name may sort before this release's newest: a merge can have added it.
    const isNewer = row.source === "package" || hasOwn;
    const isUndone = "direction" in row && row.direction === "down";
    if (!isNewer || isUndone) throw missingFileError(row);
    if (row.breaking) throw tooOld(row);
  }
  return [...new Set(unknown.map(describe))].map(
    (name) => `The database is newer than this release: it has ${name}`,
  );
}

function tooOld(row: MigrationName): MigrationError {
  return new MigrationError(
    `This release cannot work with the database: a newer one has applied ${describe(row)}, which is marked @breaking`,
    `install ${row.source === "package" ? "that version of the package" : "that release of the app"} or a later one`,
  );
}

function describe(row: MigrationName): string {
  return row.source === "app" ? pathOf(row.name) : `${row.name} of the package`;
}
