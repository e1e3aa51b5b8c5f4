import { join } from "node:path";
import { checkMigrations } from "../../generator/migration/check.js";
import {
  findFormatErrors,
  inspectMigrations,
  type MigrationTarget,
  readMigrations,
} from "../../runtime/migrate/index.js";
import { withDatabase } from "../database.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { undoApplied } from "../migrate/down.js";
import { forgetLost } from "../migrate/forget.js";
import { showStatus } from "../migrate/status.js";
import { applyPending } from "../migrate/up.js";
import { fail, failProblems } from "../report.js";

export interface MigrateOptions {
  readonly status?: true;
  readonly dryRun?: true;
  readonly down?: true;
  readonly to?: string;
  readonly forget?: string;
  readonly verbose?: true;
  readonly json?: true;
}

/** Applies what is pending, undoes what was applied, forgets what is lost, or only tells what is. */
export async function migrateCommand(root: string, options: MigrateOptions): Promise<ExitCode> {
  const { to, down, forget, json } = options;
  if (to !== undefined && !down) {
    throw new CommandRefused("--to goes with --down", null, exit.wrongUsage);
  }
  const directory = join(root, "migrations");
  const onDatabase = (work: (target: MigrationTarget) => Promise<ExitCode>) =>
    withDatabase(root, (url) => work({ url, directory }));
  if (forget !== undefined)
    return onDatabase((target) => forgetLost(target, { lost: forget, json }));
  if (down) return onDatabase((target) => undoApplied(target, options));
  let isAsked = false;
  try {
    return await onDatabase(async (target) => {
      const inspection = await inspectMigrations(target);
      isAsked = true;
      const found = { root, target, inspection };
      return options.status ? showStatus(found, options) : applyPending(found, options);
    });
  } catch (error) {
    if (!isAsked) await reportFileProblems(root, directory);
    throw error;
  }
}

/** What is wrong with the files by themselves, where no database can be asked. */
async function reportFileProblems(root: string, directory: string): Promise<void> {
  const { problems } = checkMigrations(root);
  if (problems.length > 0) failProblems(problems, "nothing was applied");
  const mistakes = findFormatErrors(await readMigrations(directory));
  if (mistakes.length > 0) fail(mistakes.join("\n"));
}
