import {
  checkMigrations,
  type MigrationInspection,
  type MigrationResult,
  type MigrationTarget,
  migrate,
} from "../../migrate/index.js";
import { type ExitCode, exit } from "../exit.js";
import { fail, failProblems, say, sayJson, warn } from "../report.js";
import type { MigrationsFolder } from "./folder.js";
import { pathOf, progressNote, progressReporter, sayAllDone, saySql } from "./messages.js";

export interface UpOptions {
  readonly dryRun?: true;
  readonly allowInvalid?: readonly string[];
  readonly verbose?: true;
  readonly json?: true;
}

/** The state of the files and the database before any change. */
export interface MigrateContext {
  readonly folder: MigrationsFolder;
  readonly target: MigrationTarget;
  readonly inspection: MigrationInspection;
}

/**
 * Applies pending migrations, or prints their SQL. Refuses migrations that contradict each other or differ from the
 * applied ones.
 */
export async function applyPending(
  { folder, target, inspection }: MigrateContext,
  { dryRun, json, allowInvalid = [], ...others }: UpOptions,
): Promise<ExitCode> {
  const texts = await folder.texts();
  const { problems, isSnapshotStale } = checkMigrations(texts, namesOfApp(inspection));
  if (isSnapshotStale) warn(staleSnapshot);
  if (problems.length > 0) failProblems(problems, "nothing was applied");
  for (const { message, hint } of inspection.refusals) fail(message, hint);
  if (problems.length + inspection.refusals.length > 0) return exit.mustChange;
  const onProgress = progressReporter("applying", others);
  const reporting = { onWarning: warn, onProgress };
  const result = await migrate({ ...target, dryRun: dryRun ?? false, allowInvalid, ...reporting });
  if (json) sayJson(result);
  else if (dryRun) sayDryRun(result);
  else sayAllDone("applied", result.applied, "The database is up to date");
  return exit.done;
}

export const staleSnapshot =
  "migrations/schema.json does not match the migrations; run: npx service generate";

/** Returns the app's migrations in the order in which the database applied them. */
export function namesOfApp({ applied }: Pick<MigrationResult, "applied">): readonly string[] {
  return applied.flatMap(({ source, name }) => (source === "app" ? [name] : []));
}

function sayDryRun({ pending }: MigrationResult): void {
  for (const one of pending) {
    const what = one.halfDone?.direction === "down" ? "finish undoing" : "apply";
    saySql(`would ${what}  ${pathOf(one)}${progressNote(one)}`, one.sql);
  }
  if (pending.length === 0) say("-- There is nothing to apply");
}
