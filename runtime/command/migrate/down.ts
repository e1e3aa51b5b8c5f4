import { type MigrationTarget, type UndoResult, undoMigrations } from "../../migrate/index.js";
import { type ExitCode, exit } from "../exit.js";
import { say, sayJson, warn } from "../report.js";
import { pathOf, progressReporter, sayAllDone, saySql } from "./messages.js";

export interface DownOptions {
  readonly to?: string;
  readonly dryRun?: true;
  readonly verbose?: true;
  readonly json?: true;
}

/** Undoes the app's last migration, or all migrations after a given one, or prints the SQL for it. */
export async function undoApplied(
  target: MigrationTarget,
  { to, dryRun, json, ...others }: DownOptions,
): Promise<ExitCode> {
  const result = await undoMigrations({
    ...target,
    ...(to !== undefined && { to }),
    dryRun: dryRun ?? false,
    onWarning: warn,
    onProgress: progressReporter("undoing", others),
  });
  if (json) sayJson(result);
  else if (dryRun) sayDryUndo(result);
  else sayAllDone("undone", result.undone, "There is nothing to undo");
  return exit.done;
}

function sayDryUndo({ toUndo }: UndoResult): void {
  for (const { sql, ...name } of toUndo) saySql(`would undo  ${pathOf(name)}`, sql);
  if (toUndo.length === 0) say("-- There is nothing to undo");
}
