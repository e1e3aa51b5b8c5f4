import { nameOf, readMigrations } from "./files/files.js";
import { pendingFiles, readDatabaseHistory } from "./history/history.js";
import { ensureLedger } from "./history/ledger.js";
import { refuseHistoryProblems } from "./history/problems.js";
import { type RunOptions, withMigrationLock } from "./run/migration-lock.js";
import { type PlannedTask, planTasks, refuseMergeMarkers } from "./run/plan.js";
import { runTask } from "./run/task.js";
import type { OnWarning } from "./session/connect.js";
import { dryRun, type MigrationResult } from "./status.js";
import { finishUndo } from "./undo.js";

export interface MigrateOptions extends RunOptions {
  /** Only returns the pending migrations with their SQL; the database is not changed. */
  readonly dryRun?: boolean;
}

/**
 * Applies the package's migrations, then the app's, step by step, after completing what an earlier run left unfinished.
 * Of two concurrent runs, the second waits for the first and finds everything done.
 *
 * @throws {MigrationError} if an applied file was changed or is missing, a file has a format error, its checks find
 * rows, a step fails, or the database cannot be reached.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationResult> {
  const files = options.files ?? (await readMigrations(options.directory));
  refuseMergeMarkers(files);
  if (options.dryRun) return dryRun({ ...options, files });
  return withMigrationLock(options, async (run) => {
    const before = await readDatabaseHistory(run.db);
    refuseHistoryProblems(files, before);
    if (pendingFiles(files, before).length > 0) await ensureLedger(run.db);
    await finishUndo(run, options.directory, before);
    const history = await readDatabaseHistory(run.db);
    const tasks = planTasks(pendingFiles(files, history), "up", history);
    const isInUse = history.ledger.some(({ source }) => source === "app");
    for (const task of tasks) {
      if (isInUse && task.recorded.length === 0) warnOfBreaking(task, run.onWarning);
      await runTask(run, task);
    }
    return { applied: tasks.map(({ file }) => nameOf(file)), pending: [] };
  });
}

/** Warns of statements that break servers of the previous release, before they run. */
function warnOfBreaking({ file, script }: PlannedTask, onWarning: OnWarning): void {
  if (!script.breaking) return;
  const what = script.breakingStatements.join(" ");
  const after = what === "" ? "it" : what;
  onWarning(
    `${file.path} is @breaking: servers of the previous release cannot work after ${after}`,
  );
}
