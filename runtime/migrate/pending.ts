import type { Queryable } from "../db/index.js";
import { sqlPath } from "../values/schema/history/migration-paths.js";
import { MigrationError } from "./error.js";
import {
  type MigrationFile,
  type MigrationName,
  migrationKey,
  nameOf,
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

export interface Release {
  /** The app's `migrations/`, which may already belong to a newer release. */
  readonly directory: string;
  /** The names of the app's migrations at build time; null to use those of the folder. */
  readonly built: readonly string[] | null;
}

/** Returns the migrations with which a release was built: the package's, then the app's. */
export async function migrationsOf({
  directory,
  built,
}: Release): Promise<readonly MigrationName[]> {
  return known(await readMigrations(directory), built);
}

function known(files: readonly MigrationFile[], built: Release["built"]): readonly MigrationName[] {
  if (built === null) return files;
  return [
    ...files.filter(({ source }) => source === "package"),
    ...built.map((name) => ({ source: "app" as const, name })),
  ];
}

/** Calls `pendingInRelease` for the files of the folder. */
export function pendingMigrations(
  db: Queryable,
  directory: string,
  onWarning: OnWarning = () => {},
): Promise<readonly MigrationName[]> {
  return pendingInRelease(db, { directory, built: null }, onWarning);
}

/**
 * Returns the migrations that must be applied before a server starts on this database. `onWarning` receives unknown but
 * compatible ones, which belong to a newer release that is being rolled out.
 *
 * @throws {MigrationError} if an applied file was changed or is missing, a newer release has changed what this one
 * needs, or the database's settings or encoding are unsuitable.
 */
export async function pendingInRelease(
  db: Queryable,
  { directory, built }: Release,
  onWarning: OnWarning,
): Promise<readonly MigrationName[]> {
  await refuseUnsuitableServer(db);
  const files = await readMigrations(directory);
  const own = known(files, built);
  const history = await readDatabaseHistory(db);
  refuseChangedFiles(files, history);
  for (const warning of newerThan({ own, files, isBuilt: built !== null }, history)) {
    onWarning(warning);
  }
  const undone = partlyUndone(history);
  const pending = [...(undone === null ? [] : [undone]), ...pendingFiles(own, history)];
  return pending.map(nameOf);
}

interface Compared {
  /** The migrations of the release. */
  readonly own: readonly MigrationName[];
  readonly files: readonly MigrationFile[];
  /** Whether the build itself lists the release's migrations. */
  readonly isBuilt: boolean;
}

/** Returns a sentence for each applied migration of another release with which this one is compatible. */
function newerThan({ own, files, isBuilt }: Compared, history: DatabaseHistory): readonly string[] {
  const hasOwn = isBuilt || own.some(({ source }) => source === "app");
  const unknown = withoutFile(own, history);
  const present = new Set(files.map(migrationKey));
  for (const row of unknown) {
    // The migration's name may sort before this release's newest one if it came with a merge.
    const isNewer = row.source === "package" || hasOwn;
    const isUndone = "direction" in row && row.direction === "down";
    if (!isNewer || isUndone) throw missingFileError(row);
    if (row.breaking) {
      const isPresent = present.has(migrationKey(row));
      throw tooOld(row, isPresent ? rebuild : installLater(row));
    }
  }
  return [...new Set(unknown.map(describe))].map(
    (name) => `The database is newer than this release: it has ${name}`,
  );
}

function tooOld(row: MigrationName, hint: string): MigrationError {
  return new MigrationError(
    `This release cannot work with the database: a newer one has applied ${describe(row)}, which is marked @breaking`,
    hint,
  );
}

/** A hint for an up-to-date `migrations/` with an outdated build. */
const rebuild =
  "it is in migrations/, and the app was built without it: run npx service generate, and build the app again";

function installLater({ source }: MigrationName): string {
  const release = source === "package" ? "that version of the package" : "that release of the app";
  return `install ${release} or a later one`;
}

function describe(row: MigrationName): string {
  return row.source === "app" ? sqlPath(row.name) : `${row.name} of the package`;
}
