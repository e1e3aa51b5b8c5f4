import { MigrationError } from "./error.js";
import {
  downPath,
  type MigrationFile,
  type MigrationName,
  matchesName,
  nameOf,
  pathOf,
  readDownFile,
  readMigrations,
} from "./files/files.js";
import { readScript } from "./files/script.js";
import {
  type DatabaseHistory,
  partlyUndone,
  pendingFiles,
  readDatabaseHistory,
  readUnfinishedUndo,
  recordedSteps,
} from "./history/history.js";
import { ensureLedger, type LedgerRow } from "./history/ledger.js";
import { refuseHistoryProblems } from "./history/problems.js";
import { type RunOptions, withMigrationLock } from "./run/migration-lock.js";
import { type PlannedTask, planTasks, refuseMergeMarkers } from "./run/plan.js";
import { rehearse } from "./run/rehearse.js";
import type { Run } from "./run/run.js";
import { runTask } from "./run/task.js";
import { withConnection } from "./session/connect.js";

export interface UndoOptions extends RunOptions {
  /** The number or name of the last one that stays; `0000` undoes all. Without it one is undone. */
  readonly to?: string;
  /** Tells what would be undone and leaves the database as it is. */
  readonly dryRun?: boolean;
}

export interface UndoResult {
  /** By this run, newest first. */
  readonly undone: readonly MigrationName[];
  /** In a dry run: what would be, and by which SQL. */
  readonly toUndo: readonly (MigrationName & { readonly sql: string })[];
}

/**
 * Undoes migrations of the app, the last applied first, by the files in `migrations/down/`. The
 * package's own stay. If one of them cannot be undone, none is: what their checks find is counted for
 * all of them first, each on the schema that it will meet.
 *
 * @throws {MigrationError} when one cannot be undone, is half applied, or fails.
 */
export async function undoMigrations(options: UndoOptions): Promise<UndoResult> {
  const asked = await withConnection(options, async (db) => {
    return planUndo(options, await readDatabaseHistory(db));
  });
  if (options.dryRun) {
    return {
      undone: [],
      toUndo: asked.map(({ file }) => ({ ...nameOf(file), sql: file.sql })),
    };
  }
  const names = new Set(asked.map(({ file }) => file.name));
  return withMigrationLock(options, async (run) => {
    // Another may have undone them while this one waited; those before them were not asked for.
    const now = await readDatabaseHistory(run.db);
    const isLeft = now.ledger.some(({ source, name }) => source === "app" && names.has(name));
    const planned = isLeft ? await planUndo(options, now) : [];
    const tasks = planned.filter(({ file }) => names.has(file.name));
    if (tasks.length > 0) await ensureLedger(run.db);
    await rehearse(run, tasks);
    for (const task of tasks) await runTask(run, task);
    return { undone: tasks.map(({ file }) => nameOf(file)), toUndo: [] };
  });
}

/**
 * Finishes what an undoing that was cut off has begun.
 *
 * @throws {MigrationError} when its file is gone, or fails.
 */
export async function finishUndo(
  run: Run,
  directory: string,
  history: DatabaseHistory,
): Promise<void> {
  const file = await readUnfinishedUndo(directory, history);
  if (file === null) return;
  run.onWarning(`${pathOf(file.name)} was half undone; that is finished first`);
  for (const task of planTasks([file], "down", history)) await runTask(run, task);
}

async function planUndo(
  { directory, to }: UndoOptions,
  history: DatabaseHistory,
): Promise<readonly PlannedTask[]> {
  const files = await readMigrations(directory);
  refuseMergeMarkers(files);
  refuseHistoryProblems(files, history);
  refusePartlyApplied(files, history);
  const rows = rowsToUndo(history, to);
  const found = await Promise.all(
    rows.map(async ({ name }) => ({ name, file: await readDownFile(directory, name) })),
  );
  const lacking = found.filter(({ file }) => file === null);
  if (lacking.length > 0) throw noDownFileError(files, lacking);
  const wayBack = found.flatMap(({ file }) => (file === null ? [] : [file]));
  refuseMergeMarkers(wayBack);
  return planTasks(wayBack, "down", history);
}

function refusePartlyApplied(files: readonly MigrationFile[], history: DatabaseHistory): void {
  const half = pendingFiles(files, history).find(
    (file) => recordedSteps(history, file, "up").length > 0,
  );
  if (half === undefined) return;
  throw new MigrationError(
    `${half.path} is half applied`,
    "run npx service migrate first: it finishes that",
  );
}

/** Newest first. */
function rowsToUndo(history: DatabaseHistory, to: string | undefined): readonly LedgerRow[] {
  const applied = history.ledger.filter(({ source }) => source === "app");
  if (to === undefined) return applied.slice(-1);
  const range = applied.slice(firstAfter(applied, to)).reverse();
  const half = partlyUndone(history);
  if (half === null || range.includes(half)) return range;
  throw new MigrationError(
    `${pathOf(half.name)} is half undone`,
    "run npx service migrate first: it finishes that and applies it again",
  );
}

/** Where in the ledger those begin that were applied after the one that is meant. */
function firstAfter(applied: readonly LedgerRow[], to: string): number {
  const isMeant = ({ name }: LedgerRow) => matchesName(name, to);
  const meant = applied.filter(isMeant);
  if (meant.length > 1) {
    throw new MigrationError(
      `${to} may be ${meant.map((row) => row.name).join(" or ")}`,
      "give the whole name",
    );
  }
  if (meant.length === 1) return applied.findIndex(isMeant) + 1;
  if (/^0+$/.test(to)) return 0;
  throw new MigrationError(
    `No migration ${to} of the app is applied to this database`,
    "npx service migrate --status lists those that are; 0000 stands for none of them",
  );
}

function noDownFileError(
  files: readonly MigrationFile[],
  lacking: readonly { readonly name: string }[],
): MigrationError {
  const lines = lacking.map(({ name }) => {
    const file = files.find((one) => one.source === "app" && one.name === name);
    const reason = file === undefined ? null : readScript(file.sql).script.noDownReason;
    return `${pathOf(name)} cannot be undone: ${reason ?? `there is no ${downPath(name)}`}`;
  });
  return new MigrationError(lines.join("\n"), "nothing was undone");
}
