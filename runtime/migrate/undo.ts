import { downPath, sqlPath } from "../values/schema/history/migration-paths.js";
import { listWords } from "../values/text.js";
import { MigrationError } from "./error.js";
import {
  type MigrationFile,
  type MigrationName,
  matchesName,
  nameOf,
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
  /** The number or name of the last migration to keep; `0000` undoes all. By default one is undone. */
  readonly to?: string;
  /** Only returns the migrations to undo; the database is not changed. */
  readonly dryRun?: boolean;
}

export interface UndoResult {
  /** Migrations that this run undid, newest first. */
  readonly undone: readonly MigrationName[];
  /** In a dry run, the migrations to undo, with their SQL. */
  readonly toUndo: readonly (MigrationName & { readonly sql: string })[];
}

/**
 * Undoes migrations of the app, the last applied first, with the files in `migrations/down/`; the package's migrations
 * are never undone. If one of them cannot be undone, none is: all their checks run first, each on the schema that it
 * will find.
 *
 * @throws {MigrationError} if one cannot be undone, is partly applied, or fails.
 */
export async function undoMigrations(options: UndoOptions): Promise<UndoResult> {
  const files = options.files ?? (await readMigrations(options.directory));
  const requested = await withConnection(options, async (db) => {
    return planUndo(options, files, await readDatabaseHistory(db));
  });
  if (options.dryRun) {
    return {
      undone: [],
      toUndo: requested.map(({ file }) => ({ ...nameOf(file), sql: file.sql })),
    };
  }
  const names = new Set(requested.map(({ file }) => file.name));
  return withMigrationLock(options, async (run) => {
    // Another run may have undone these while this one waited; it must not undo earlier ones instead.
    const now = await readDatabaseHistory(run.db);
    const isLeft = now.ledger.some(({ source, name }) => source === "app" && names.has(name));
    const planned = isLeft ? await planUndo(options, files, now) : [];
    const tasks = planned.filter(({ file }) => names.has(file.name));
    if (tasks.length > 0) await ensureLedger(run.db);
    await rehearse(run, tasks);
    for (const task of tasks) await runTask(run, task);
    return { undone: tasks.map(({ file }) => nameOf(file)), toUndo: [] };
  });
}

/**
 * Completes an interrupted undo.
 *
 * @throws {MigrationError} if its file is missing, or fails.
 */
export async function finishUndo(
  run: Run,
  directory: string,
  history: DatabaseHistory,
): Promise<void> {
  const file = await readUnfinishedUndo(directory, history);
  if (file === null) return;
  run.onWarning(`${sqlPath(file.name)} was partly undone; that is finished first`);
  for (const task of planTasks([file], "down", history)) await runTask(run, task);
}

async function planUndo(
  { directory, to }: UndoOptions,
  files: readonly MigrationFile[],
  history: DatabaseHistory,
): Promise<readonly PlannedTask[]> {
  refuseMergeMarkers(files);
  refuseHistoryProblems(files, history);
  refusePartlyApplied(files, history);
  const rows = rowsToUndo(history, to);
  const found = await Promise.all(
    rows.map(async ({ name }) => ({ name, file: await readDownFile(directory, name) })),
  );
  const missing = found.filter(({ file }) => file === null);
  if (missing.length > 0) throw noDownFileError(files, missing);
  const downFiles = found.flatMap(({ file }) => (file === null ? [] : [file]));
  refuseMergeMarkers(downFiles);
  return planTasks(downFiles, "down", history);
}

function refusePartlyApplied(files: readonly MigrationFile[], history: DatabaseHistory): void {
  const half = pendingFiles(files, history).find(
    (file) => recordedSteps(history, file, "up").length > 0,
  );
  if (half === undefined) return;
  throw new MigrationError(
    `${half.path} is partly applied`,
    "run npx service migrate first: it finishes applying the file",
  );
}

/** The migrations to undo, newest first. */
function rowsToUndo(history: DatabaseHistory, to: string | undefined): readonly LedgerRow[] {
  const applied = history.ledger.filter(({ source }) => source === "app");
  if (to === undefined) return applied.slice(-1);
  const range = applied.slice(firstAfter(applied, to)).reverse();
  const half = partlyUndone(history);
  if (half === null || range.includes(half)) return range;
  throw new MigrationError(
    `${sqlPath(half.name)} is partly undone`,
    "run npx service migrate first: it finishes undoing the migration and applies it again",
  );
}

/** Returns the index of the first migration applied after the named one. */
function firstAfter(applied: readonly LedgerRow[], to: string): number {
  const isNamed = ({ name }: LedgerRow) => matchesName(name, to);
  const named = applied.filter(isNamed);
  if (named.length > 1) {
    throw new MigrationError(
      `${to} matches several migrations: ${listWords(named.map((row) => row.name))}`,
      "use the full name",
    );
  }
  if (named.length === 1) return applied.findIndex(isNamed) + 1;
  if (/^0+$/.test(to)) return 0;
  throw new MigrationError(
    `No migration ${to} of the app is applied to this database`,
    "npx service migrate --status lists the applied ones; 0000 means before the first",
  );
}

function noDownFileError(
  files: readonly MigrationFile[],
  missing: readonly { readonly name: string }[],
): MigrationError {
  const lines = missing.map(({ name }) => {
    const file = files.find((one) => one.source === "app" && one.name === name);
    const reason = file === undefined ? null : readScript(file.sql).script.noDownReason;
    return `${sqlPath(name)} cannot be undone: ${reason ?? `there is no ${downPath(name)}`}`;
  });
  return new MigrationError(lines.join("\n"), "nothing was undone");
}
