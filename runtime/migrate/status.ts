import { MigrationError } from "./error.js";
import { type MigrationName, nameOf, readMigrations } from "./files/files.js";
import { readScript } from "./files/script.js";
import {
  afterUndo,
  type DatabaseHistory,
  pendingFiles,
  readDatabaseHistory,
  readUnfinishedUndo,
  recordedSteps,
} from "./history/history.js";
import {
  type HistoryProblems,
  historyProblems,
  refuseHistoryProblems,
} from "./history/problems.js";
import type { Direction, Task } from "./history/steps.js";
import type { MigrationTarget } from "./run/migration-lock.js";
import { planTasks } from "./run/plan.js";
import { withConnection } from "./session/connect.js";

/** The progress of a file that was begun and not finished. */
export interface HalfDone {
  /** `down` where it was being undone. */
  readonly direction: Direction;
  readonly done: number;
  readonly steps: number;
}

/** A migration that is still to be applied, or whose undoing is to be finished first. */
export interface PendingMigration extends MigrationName {
  readonly halfDone?: HalfDone;
  /** In a dry run: the content of its file. */
  readonly sql?: string;
}

export interface MigrationResult {
  /** For `migrate` those applied by this run, for `migrationStatus` all; in the order in which they were applied. */
  readonly applied: readonly MigrationName[];
  readonly pending: readonly PendingMigration[];
}

/**
 * Lists what is applied and what is pending; changes nothing. A migration that is partly undone is pending.
 *
 * @throws {MigrationError} when an applied file was changed or is missing, or the database cannot be reached.
 */
export async function migrationStatus(target: MigrationTarget): Promise<MigrationResult> {
  const { files, history, downFile } = await compareWithDatabase(target);
  const tasks: Task[] = pendingFiles(files, history).map((file) => ({ file, direction: "up" }));
  if (downFile !== null) tasks.unshift({ file: downFile, direction: "down" });
  return {
    applied: afterUndo(history).ledger.map(nameOf),
    pending: tasks.map((task) => describe(task, history)),
  };
}

/** A `MigrationResult` with what `migrate` would refuse before it begins. */
export interface MigrationInspection extends MigrationResult, Omit<HistoryProblems, "refusals"> {
  readonly refusals: readonly MigrationError[];
}

/**
 * Does what `migrationStatus` does, also where files were changed or are missing, which `migrate` refuses.
 *
 * @throws {MigrationError} when the database cannot be reached or read.
 */
export async function inspectMigrations(target: MigrationTarget): Promise<MigrationInspection> {
  const files = target.files ?? (await readMigrations(target.directory));
  const history = await withConnection(target, readDatabaseHistory);
  const tasks: Task[] = pendingFiles(files, history).map((file) => ({ file, direction: "up" }));
  const { changed, lost, refusals } = historyProblems(files, history);
  const downFile = await readUnfinishedUndo(target.directory, history).catch(refusalOrThrow);
  const isMissing = downFile instanceof MigrationError;
  if (downFile !== null && !isMissing) tasks.unshift({ file: downFile, direction: "down" });
  return {
    applied: afterUndo(history).ledger.map(nameOf),
    pending: tasks.map((task) => describe(task, history)),
    changed,
    lost,
    refusals: isMissing ? [...refusals, downFile] : refusals,
  };
}

function refusalOrThrow(error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  throw error;
}

/**
 * What `migrate` would do, with its SQL. A partly undone migration is completely undone, then applied again.
 *
 * @throws {MigrationError} when `migrationStatus` would throw, when a pending file has a format error, or
 * when a step of it that is done was changed.
 */
export async function dryRun(target: MigrationTarget): Promise<MigrationResult> {
  const { files, history, downFile } = await compareWithDatabase(target);
  const then = afterUndo(history);
  const tasks = [
    ...planTasks(downFile === null ? [] : [downFile], "down", history),
    ...planTasks(pendingFiles(files, then), "up", then),
  ];
  const pending = tasks.map((task) => ({ ...describe(task, history), sql: task.file.sql }));
  return { applied: [], pending };
}

/** The files, what the database has recorded, and the file that finishes an undo, if there is one. */
async function compareWithDatabase(target: MigrationTarget) {
  const files = target.files ?? (await readMigrations(target.directory));
  const history = await withConnection(target, readDatabaseHistory);
  refuseHistoryProblems(files, history);
  return { files, history, downFile: await readUnfinishedUndo(target.directory, history) };
}

function describe({ file, direction }: Task, history: DatabaseHistory): PendingMigration {
  const begun = recordedSteps(history, file, direction);
  if (begun.length === 0) return nameOf(file);
  const done = begun.filter((row) => row.done).length;
  const steps = readScript(file.sql).script.steps.length;
  return { ...nameOf(file), halfDone: { direction, done, steps } };
}
