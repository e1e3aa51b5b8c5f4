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

/** The progress of an unfinished file. */
export interface HalfDone {
  /** `down` if the migration was being undone. */
  readonly direction: Direction;
  readonly done: number;
  readonly steps: number;
}

/** A migration to apply, possibly after its undo is completed. */
export interface PendingMigration extends MigrationName {
  readonly halfDone?: HalfDone;
  /** The content of its file, in a dry run. */
  readonly sql?: string;
}

export interface MigrationResult {
  /** In the result of `migrate`, those applied by this run, otherwise all; in the order in which they were applied. */
  readonly applied: readonly MigrationName[];
  readonly pending: readonly PendingMigration[];
}

/**
 * Lists applied and pending migrations without changing anything. A partly undone migration is pending.
 *
 * @throws {MigrationError} if an applied file was changed or is missing, or the database cannot be reached.
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

/** A `MigrationResult` with the problems for which `migrate` would refuse to start. */
export interface MigrationInspection extends MigrationResult, Omit<HistoryProblems, "refusals"> {
  readonly refusals: readonly MigrationError[];
}

/**
 * Like `migrationStatus`, but reports changed or missing files, which `migrate` refuses.
 *
 * @throws {MigrationError} if the database cannot be reached or read.
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
 * Returns the plan of `migrate` with its SQL. A partly undone migration is completely undone, then applied again.
 *
 * @throws {MigrationError} if `migrationStatus` would throw, a pending file has a format error, or a completed step of
 * it was changed.
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

/** Returns the files, the database's record, and the file that completes an undo, if any. */
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
