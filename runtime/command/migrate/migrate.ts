import {
  checkMigrations,
  findFormatErrors,
  inspectMigrations,
  type MigrationTarget,
} from "../../migrate/index.js";
import { withDatabase } from "../app/database.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { fail, failProblems } from "../report.js";
import { undoApplied } from "./down.js";
import { type MigrationsFolder, migrationsFolder } from "./folder.js";
import { forgetLost } from "./forget.js";
import { reportLostParts } from "./lost-parts.js";
import { showStatus } from "./status.js";
import { applyPending } from "./up.js";

export interface MigrateOptions {
  readonly status?: true;
  readonly dryRun?: true;
  readonly down?: true;
  readonly to?: string;
  readonly forget?: string;
  readonly allowInvalid?: readonly string[];
  readonly verbose?: true;
  readonly json?: true;
}

/** Applies pending migrations, undoes applied ones, forgets lost ones, or only shows the status. */
export async function migrateCommand(root: string, options: MigrateOptions): Promise<ExitCode> {
  const { to, down, forget, json } = options;
  if (to !== undefined && !down) {
    throw new CommandRefused("--to needs --down", null, exit.wrongUsage);
  }
  const folder = migrationsFolder(root);
  const { directory } = folder;
  const onDatabase = (work: (target: MigrationTarget) => Promise<ExitCode>) =>
    withDatabase(root, (url) => work({ url, directory }));
  if (forget !== undefined)
    return onDatabase((target) => forgetLost(target, { lost: forget, json }));
  if (down) return onDatabase((target) => undoApplied(target, options));
  let isInspected = false;
  try {
    return await onDatabase(async (bare) => {
      const target = { ...bare, files: await folder.files() };
      const inspection = await inspectMigrations(target);
      isInspected = true;
      const context = { folder, target, inspection };
      if (options.status) return showStatus(context, options);
      const code = await applyPending(context, options);
      const isLost =
        code === exit.done && !options.dryRun && (await reportLostParts(root, target.url));
      return isLost ? exit.mustChange : code;
    });
  } catch (error) {
    if (!isInspected) await reportFileProblems(folder);
    throw error;
  }
}

/** Reports problems of the files themselves if no database is available. */
async function reportFileProblems(folder: MigrationsFolder): Promise<void> {
  const { problems } = checkMigrations(await folder.texts());
  if (problems.length > 0) failProblems(problems, "nothing was applied");
  const errors = findFormatErrors(await folder.files());
  if (errors.length > 0) fail(errors.join("\n"));
}
