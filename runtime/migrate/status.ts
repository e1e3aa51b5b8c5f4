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

/** How far a file is that was begun and not finished. */
export interface HalfDone {
  /** `down` where it was being undone. */
  readonly direction: Direction;
  readonly done: number;
  readonly steps: number;
}

/** What is still to be applied, or in a dry run first to be undone wholly. */
export interface PendingMigration extends MigrationName {
  readonly halfDone?: HalfDone;
  /** In a dry run: what its file holds. */
  readonly sql?: string;
}

export interface MigrationResult {
  /** By this run for `migrate`, ever for `migrationStatus`; in the order in which it was done. */
  readonly applied: readonly MigrationName[];
  readonly pending: readonly PendingMigration[];
}

/**
 * What was applied and what is pending; changes nothing. A migration that is half undone is pending.
 *
 * @throws {MigrationError} as `migrate`.
 */
export async function migrationStatus(target: MigrationTarget): Promise<MigrationResult> {
  const { files, history, wayBack } = await compareWithDatabase(target);
  const tasks: Task[] = pendingFiles(files, history).map((file) => ({ file, direction: "up" }));
  if (wayBack !== null) tasks.unshift({ file: wayBack, direction: "down" });
  return {
    applied: afterUndo(history).ledger.map(nameOf),
    pending: tasks.map((task) => describe(task, history)),
  };
}

/** As `MigrationResult`, with what `migrate` would refuse before it begins. */
export interface MigrationInspection extends MigrationResult, Omit<HistoryProblems, "refusals"> {
  readonly refusals: readonly MigrationError[];
}

/**
 * As `migrationStatus`, also where files were changed or are lost, which `migrate` refuses.
 *
 * @throws {MigrationError} when the database cannot be reached or read.
 */
export async function inspectMigrations(target: MigrationTarget): Promise<MigrationInspection> {
  const files = await readMigrations(target.directory);
  const history = await withConnection(target, readDatabaseHistory);
  const tasks: Task[] = pendingFiles(files, history).map((file) => ({ file, direction: "up" }));
  const { changed, lost, refusals } = historyProblems(files, history);
  const wayBack = await readUnfinishedUndo(target.directory, history).catch(refusalOrThrow);
  const isGone = wayBack instanceof MigrationError;
  if (wayBack !== null && !isGone) tasks.unshift({ file: wayBack, direction: "down" });
  return {
    applied: afterUndo(history).ledger.map(nameOf),
    pending: tasks.map((task) => describe(task, history)),
    changed,
    lost,
    refusals: isGone ? [...refusals, wayBack] : refusals,
  };
}

function refusalOrThrow(error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  throw error;
}

/**
 * What `migrate` would do, with its SQL. What is half undone is undone wholly and then applied again.
 *
 * @throws {MigrationError} as `migrationStatus`, and when a pending file has a mistake of form, or a
 * step of it that is done was changed.
 */
export async function dryRun(target: MigrationTarget): Promise<MigrationResult> {
  const { files, history, wayBack } = await compareWithDatabase(target);
  const then = afterUndo(history);
  const tasks = [
    ...planTasks(wayBack === null ? [] : [wayBack], "down", history),
    ...planTasks(pendingFiles(files, then), "up", then),
  ];
  const pending = tasks.map((task) => ({ ...describe(task, history), sql: task.file.sql }));
  return { applied: [], pending };
}

/** The files beside what the database remembers, and the one that finishes an undoing, if any. */
async function compareWithDatabase(target: MigrationTarget) {
  const files = await readMigrations(target.directory);
  const history = await withConnection(target, readDatabaseHistory);
  refuseHistoryProblems(files, history);
  return { files, history, wayBack: await readUnfinishedUndo(target.directory, history) };
}

function describe({ file, direction }: Task, history: DatabaseHistory): PendingMigration {
  const begun = recordedSteps(history, file, direction);
  if (begun.length === 0) return nameOf(file);
  const done = begun.filter((row) => row.done).length;
  const steps = readScript(file.sql).script.steps.length;
  return { ...nameOf(file), halfDone: { direction, done, steps } };
}
