import { sqlPath } from "../../values/schema/history/migration-paths.js";
import { MigrationError } from "../error.js";
import { type MigrationFile, type MigrationName, migrationKey, nameOf } from "../files/files.js";
import type { DatabaseHistory } from "./history.js";
import type { LedgerRow } from "./ledger.js";
import type { StepRow } from "./steps.js";

/**
 * Refuses files that differ from the database's record.
 *
 * @throws {MigrationError} if an applied file has changed, or an applied or started one is missing.
 */
export function refuseHistoryProblems(
  files: readonly MigrationFile[],
  history: DatabaseHistory,
): void {
  refuseMissingFiles(files, history);
  refuseChangedFiles(files, history);
}

/** Applied or started migrations without a file here. */
export function withoutFile(
  files: readonly MigrationName[],
  { ledger, steps }: DatabaseHistory,
): readonly (LedgerRow | StepRow)[] {
  const known = new Set(files.map(migrationKey));
  return [...ledger, ...steps].filter((row) => !known.has(migrationKey(row)));
}

/** Applied migrations whose files are missing or changed. */
export interface HistoryProblems {
  readonly changed: readonly MigrationName[];
  /** Migrations that were applied or started, but have no file. */
  readonly lost: readonly MigrationName[];
  /** Why `migrate` refuses these migrations, each with a sentence and a hint. */
  readonly refusals: readonly MigrationError[];
}

/** Finds everything that `refuseHistoryProblems` refuses. */
export function historyProblems(
  files: readonly MigrationFile[],
  history: DatabaseHistory,
): HistoryProblems {
  const changedRows = history.ledger.flatMap((row) => changedFile(files, row) ?? []);
  const byName = new Map(withoutFile(files, history).map((row) => [migrationKey(row), row]));
  const lost = [...byName.values()];
  const other = otherAppError(files, history);
  return {
    changed: changedRows.map(nameOf),
    lost: lost.map(nameOf),
    refusals: [
      ...changedRows.map(changedFileError),
      ...(other === null ? lost.map(missingFileError) : [other]),
    ],
  };
}

function refuseMissingFiles(files: readonly MigrationFile[], history: DatabaseHistory): void {
  const [first] = withoutFile(files, history);
  if (first !== undefined) throw otherAppError(files, history) ?? missingFileError(first);
}

/** The package's first migration up to 0.4.0; a new set later replaced all of them. */
const firstOfFormerSet = "0001_foundation";

/** Returns the error for an applied or partly applied migration without a file. */
export function missingFileError(row: LedgerRow | StepRow): MigrationError {
  if (row.source === "app") {
    const how = "step" in row ? "begun on" : "applied to";
    return new MigrationError(
      `${sqlPath(row.name)} was ${how} this database, but the file is missing`,
      "restore the file from version control, or check that this is the database of this app; if it cannot be restored, run: npx service migrate --forget " +
        row.name,
    );
  }
  if (row.name === firstOfFormerSet) {
    return new MigrationError(
      "This database was created by version 0.4.0 of the package or earlier, whose migrations are no longer supported",
      "use an empty database; while developing, run: npx service db reset",
    );
  }
  return new MigrationError(
    `This database was migrated by a newer version of the package (it has ${row.name})`,
    "install that version or a later one",
  );
}

/** Returns an error if none of the app's applied migrations has a file here; otherwise null. */
function otherAppError(
  files: readonly MigrationFile[],
  history: DatabaseHistory,
): MigrationError | null {
  const isOfApp = ({ source }: MigrationName) => source === "app";
  const applied = history.ledger.filter(isOfApp);
  const unknown = withoutFile(files, { ledger: applied, steps: [] });
  const { length: count } = applied;
  if (!files.some(isOfApp) || count === 0 || unknown.length < count) return null;
  return new MigrationError(
    `This is the database of another app: it has ${count === 1 ? "a migration whose file is not" : `${count} migrations, none of whose files is`} in migrations/`,
    "check DATABASE_URL",
  );
}

/**
 * Refuses applied files that have changed.
 *
 * @throws {MigrationError} for the first of them.
 */
export function refuseChangedFiles(
  files: readonly MigrationFile[],
  { ledger }: DatabaseHistory,
): void {
  for (const row of ledger) {
    const file = changedFile(files, row);
    if (file !== undefined) throw changedFileError(file);
  }
}

/** Returns the file of an applied migration if its content has changed. */
function changedFile(files: readonly MigrationFile[], row: LedgerRow): MigrationFile | undefined {
  return files.find(
    (file) => migrationKey(file) === migrationKey(row) && file.checksum !== row.checksum,
  );
}

function changedFileError(file: MigrationFile): MigrationError {
  if (file.source === "app") {
    return new MigrationError(
      `${file.path} was changed after it was applied to this database`,
      "undo the change; to change what was applied, write another migration",
    );
  }
  return new MigrationError(
    `${file.path} of the package is not the file that was applied to this database`,
    "install the package again",
  );
}
