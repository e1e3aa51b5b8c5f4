import { notApplied, readHistory, refuseUnfit } from "./compare.js";
import { nameOf, readMigrations } from "./files/files.js";
import { ensureLedger } from "./ledger.js";
import { planTasks, refuseMergeMarks } from "./plan.js";
import { carryOut } from "./run/apply.js";
import { type RunOptions, underLock } from "./session/under-lock.js";
import { dryRun, type MigrationResult } from "./status.js";
import { finishUndoing } from "./undo.js";

export interface MigrateOptions extends RunOptions {
  /** Tells what would be applied, with its SQL, and leaves the database as it is. */
  readonly dryRun?: boolean;
}

/**
 * Applies the package's migrations, then the app's, step by step; whatever an earlier run left half done
 * comes first. Two at once wait for each other, and the second finds nothing to do.
 *
 * @throws {MigrationError} when an applied file was changed or is gone, when a file has a mistake of
 * form, when its checks find rows, when a step fails, or when the database cannot be reached.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationResult> {
  const files = await readMigrations(options.directory);
  refuseMergeMarks(files);
  if (options.dryRun) return dryRun(options);
  return underLock(options, async (run) => {
    const before = await readHistory(run.db);
    refuseUnfit(files, before);
    if (notApplied(files, before).length > 0) await ensureLedger(run.db);
    await finishUndoing(run, options.directory, before);
    const history = await readHistory(run.db);
    const tasks = planTasks(notApplied(files, history), "up", history);
    for (const task of tasks) await carryOut(run, task);
    return { applied: tasks.map(({ file }) => nameOf(file)), pending: [] };
  });
}
