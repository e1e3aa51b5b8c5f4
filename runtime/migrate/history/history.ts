import { type Queryable, sqlState } from "../../db/index.js";
import { MigrationError } from "../error.js";
import {
  downPath,
  type MigrationFile,
  type MigrationName,
  migrationKey,
  pathOf,
  readDownFile,
} from "../files/files.js";
import { type LedgerRow, readLedger } from "./ledger.js";
import { type Direction, readSteps, type StepRow } from "./steps.js";

/** What the database remembers of its migrations. */
export interface DatabaseHistory {
  /** Those that are applied, oldest first. One that is half undone is still among them. */
  readonly ledger: readonly LedgerRow[];
  /** The steps of those that were begun and not finished, either way. */
  readonly steps: readonly StepRow[];
}

/**
 * @throws {MigrationError} when the database's role may not read it.
 */
export async function readDatabaseHistory(db: Queryable): Promise<DatabaseHistory> {
  try {
    return { ledger: await readLedger(db), steps: await readSteps(db) };
  } catch (error) {
    if (!(error instanceof Error) || sqlState(error) !== "42501") throw error;
    throw new MigrationError(
      `The ledger of migrations cannot be read: ${error.message}`,
      "the role in DATABASE_URL needs the right to use the schema service and to read its tables",
      { cause: error },
    );
  }
}

/**
 * The files that are not wholly applied. One that is half applied comes first; the others in the order
 * of their names, so that one which a merge brought in under an older number is applied too.
 */
export function pendingFiles(
  files: readonly MigrationFile[],
  { ledger, steps }: DatabaseHistory,
): readonly MigrationFile[] {
  const applied = new Set(ledger.map(migrationKey));
  const begun = new Set(steps.map(migrationKey));
  const pending = files.filter((file) => !applied.has(migrationKey(file)));
  const isBegun = (file: MigrationFile) => begun.has(migrationKey(file));
  return [...pending.filter(isBegun), ...pending.filter((file) => !isBegun(file))];
}

/** The steps of a file that are done, or half done, where it was begun in that direction. */
export function recordedSteps(
  { steps }: Pick<DatabaseHistory, "steps">,
  file: MigrationName,
  direction: Direction,
): readonly StepRow[] {
  return steps.filter(
    (row) => migrationKey(row) === migrationKey(file) && row.direction === direction,
  );
}

/** The migration of the app that is half undone; it stands in the ledger until it is wholly. */
export function partlyUndone({ ledger, steps }: DatabaseHistory): LedgerRow | null {
  const step = steps.find(({ direction }) => direction === "down");
  return (step && ledger.find((row) => migrationKey(row) === migrationKey(step))) ?? null;
}

/** What is remembered once that which is half undone is undone wholly. */
export function afterUndo(history: DatabaseHistory): DatabaseHistory {
  const undone = partlyUndone(history);
  if (undone === null) return history;
  const stays = (row: MigrationName) => migrationKey(row) !== migrationKey(undone);
  return { ledger: history.ledger.filter(stays), steps: history.steps.filter(stays) };
}

/**
 * The file that finishes what is half undone; null where nothing is.
 *
 * @throws {MigrationError} when it is gone.
 */
export async function readUnfinishedUndo(
  directory: string,
  history: DatabaseHistory,
): Promise<MigrationFile | null> {
  const undone = partlyUndone(history);
  if (undone === null) return null;
  const file = await readDownFile(directory, undone.name);
  if (file !== null) return file;
  throw new MigrationError(
    `${pathOf(undone.name)} is half undone, but ${downPath(undone.name)} is gone`,
    "restore the file from version control",
  );
}
