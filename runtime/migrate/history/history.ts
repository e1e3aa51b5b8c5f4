import { messageOf, type Queryable, sqlState } from "../../db/index.js";
import { downPath, sqlPath } from "../../values/schema/history/migration-paths.js";
import { MigrationError } from "../error.js";
import {
  type MigrationFile,
  type MigrationName,
  migrationKey,
  readDownFile,
} from "../files/files.js";
import { type LedgerRow, readLedger } from "./ledger.js";
import { type Direction, readSteps, type StepRow } from "./steps.js";

/** The database's record of its migrations. */
export interface DatabaseHistory {
  /** The applied migrations, oldest first, including one that is partly undone. */
  readonly ledger: readonly LedgerRow[];
  /** The steps of unfinished migrations, in either direction. */
  readonly steps: readonly StepRow[];
}

/**
 * Reads applied and unfinished migrations.
 *
 * @throws {MigrationError} if the database role may not read them.
 */
export async function readDatabaseHistory(db: Queryable): Promise<DatabaseHistory> {
  try {
    return { ledger: await readLedger(db), steps: await readSteps(db) };
  } catch (error) {
    if (sqlState(error) !== "42501") throw error;
    throw new MigrationError(
      `The list of applied migrations cannot be read: ${messageOf(error)}`,
      "the role in DATABASE_URL needs the privileges to use the schema service and to read its tables",
      { cause: error },
    );
  }
}

/**
 * The files that are not completely applied. A partly applied one comes first; the others follow in name order,
 * including one with an older number from a merge.
 */
export function pendingFiles<File extends MigrationName>(
  files: readonly File[],
  { ledger, steps }: DatabaseHistory,
): readonly File[] {
  const applied = new Set(ledger.map(migrationKey));
  const begun = new Set(steps.map(migrationKey));
  const pending = files.filter((file) => !applied.has(migrationKey(file)));
  const isBegun = (file: MigrationName) => begun.has(migrationKey(file));
  return [...pending.filter(isBegun), ...pending.filter((file) => !isBegun(file))];
}

/** The completed or partly done steps of a file that was started in the given direction. */
export function recordedSteps(
  { steps }: Pick<DatabaseHistory, "steps">,
  file: MigrationName,
  direction: Direction,
): readonly StepRow[] {
  return steps.filter(
    (row) => migrationKey(row) === migrationKey(file) && row.direction === direction,
  );
}

/** The migration of the app that is partly undone; it counts as applied until it is completely undone. */
export function partlyUndone({ ledger, steps }: DatabaseHistory): LedgerRow | null {
  const step = steps.find(({ direction }) => direction === "down");
  return (step && ledger.find((row) => migrationKey(row) === migrationKey(step))) ?? null;
}

/** The history after the partly undone migration is completely undone. */
export function afterUndo(history: DatabaseHistory): DatabaseHistory {
  const undone = partlyUndone(history);
  if (undone === null) return history;
  const stays = (row: MigrationName) => migrationKey(row) !== migrationKey(undone);
  return { ledger: history.ledger.filter(stays), steps: history.steps.filter(stays) };
}

/**
 * Reads the file that finishes undoing a partly undone migration; null if no migration is partly undone.
 *
 * @throws {MigrationError} if the file is missing.
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
    `${sqlPath(undone.name)} is partly undone, but ${downPath(undone.name)} is missing`,
    "restore the file from version control",
  );
}
