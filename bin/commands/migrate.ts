import { join } from "node:path";
import { checkMigrations, checkOrder } from "../../generator/check-migrations.js";
import {
  type MigrationName,
  type MigrationProgress,
  type MigrationResult,
  type MigrationTarget,
  migrate,
  migrationStatus,
  type PendingMigration,
  type UndoResult,
  undoMigrations,
} from "../../runtime/db/index.js";
import { withDatabase } from "../database.js";
import { inspectDrift, sayDrift } from "../drift.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { count, fail, failProblems, say, sayDone, sayJson, sayProgress, warn } from "../report.js";

export interface MigrateOptions {
  readonly status?: true;
  readonly dryRun?: true;
  readonly down?: true;
  readonly to?: string;
  readonly json?: true;
}

/** Applies what is pending, undoes what was applied, or only tells what is. */
export async function migrateCommand(root: string, options: MigrateOptions): Promise<ExitCode> {
  if (options.to !== undefined && !options.down) {
    throw new CommandRefused("--to goes with --down", null, exit.wrongUsage);
  }
  if (!options.down && !areMigrationsSound(root)) return exit.mustChange;
  return withDatabase(root, (url) => {
    const target = { url, directory: join(root, "migrations") };
    if (options.status) return status(target, options);
    return options.down ? down(target, options) : up(root, target, options);
  });
}

/** Tells what is wrong with the files; the database need not be asked then. */
function areMigrationsSound(root: string): boolean {
  const { problems, isSnapshotStale } = checkMigrations(root);
  if (isSnapshotStale) {
    warn("migrations/schema.json is not what the migrations lead to; run: service generate");
  }
  if (problems.length > 0) failProblems(problems, "nothing was applied");
  return problems.length === 0;
}

/** Where the database differs from what is applied changes nothing of the exit status. */
async function status(target: MigrationTarget, { json }: MigrateOptions): Promise<ExitCode> {
  const result = await migrationStatus(target);
  const drift = await inspectDrift(target, result);
  if ("unknown" in drift) warn(`The tables are not compared with the migrations: ${drift.unknown}`);
  if (json) {
    sayJson({
      ...result,
      ...("unknown" in drift ? { differences: null, unmanaged: null } : drift),
    });
  } else {
    reportNames(result);
    if (!("unknown" in drift)) sayDrift(drift);
    reportPending(result);
  }
  return result.pending.length > 0 ? exit.mustChange : exit.done;
}

async function up(
  root: string,
  target: MigrationTarget,
  { dryRun, json }: MigrateOptions,
): Promise<ExitCode> {
  const { applied } = await migrationStatus(target);
  const order = applied.filter(({ source }) => source === "app").map(({ name }) => name);
  const problems = checkOrder(root, order);
  if (problems.length > 0) {
    failProblems(problems, "nothing was applied");
    return exit.mustChange;
  }
  const onProgress = (progress: MigrationProgress) => reportProgress("applying", progress);
  const result = await migrate({ ...target, dryRun: dryRun ?? false, onWarning: warn, onProgress });
  if (json) sayJson(result);
  else if (dryRun) reportDryRun(result);
  else reportDone("applied", result.applied, "The database is up to date");
  return exit.done;
}

async function down(
  target: MigrationTarget,
  { dryRun, json, to }: MigrateOptions,
): Promise<ExitCode> {
  const onProgress = (progress: MigrationProgress) => reportProgress("undoing", progress);
  const asked = to === undefined ? {} : { to };
  const result = await undoMigrations({
    ...target,
    ...asked,
    dryRun: dryRun ?? false,
    onWarning: warn,
    onProgress,
  });
  if (json) sayJson(result);
  else if (dryRun) reportDryUndo(result);
  else reportDone("undone", result.undone, "There is nothing to undo");
  return exit.done;
}

function reportNames({ applied, pending }: MigrationResult): void {
  for (const name of applied) say(`applied  ${pathOf(name)}`);
  for (const one of pending) say(`pending  ${pathOf(one)}${howFar(one)}`);
}

function reportPending({ pending }: MigrationResult): void {
  if (pending.length === 0) sayDone("The database is up to date");
  else fail(`${count(pending.length, "migration")} pending`, "run: service migrate");
}

function howFar({ halfDone }: PendingMigration): string {
  if (halfDone === undefined) return "";
  const { direction, done, steps } = halfDone;
  return `, half ${direction === "up" ? "done" : "undone"} (${done} of ${count(steps, "step")})`;
}

function reportDryRun({ pending }: MigrationResult): void {
  for (const one of pending) {
    const what = one.halfDone?.direction === "down" ? "finish undoing" : "apply";
    saySql(`would ${what}  ${pathOf(one)}${howFar(one)}`, one.sql);
  }
  if (pending.length === 0) say("-- There is nothing to apply");
}

function reportDryUndo({ toUndo }: UndoResult): void {
  for (const { sql, ...name } of toUndo) saySql(`would undo  ${pathOf(name)}`, sql);
  if (toUndo.length === 0) say("-- There is nothing to undo");
}

/** A comment in SQL, so that the whole output is SQL. */
function saySql(title: string, sql = ""): void {
  say(`-- ${title}\n\n${sql.trimEnd()}\n`);
}

/** One step is told of when it is done; of several each before it begins, as some take long. */
function reportProgress(doing: string, { path, step, steps, what }: MigrationProgress): void {
  if (steps > 1) sayProgress(`${doing} ${path} (${step} of ${steps}: ${what})`);
}

function reportDone(how: string, names: readonly MigrationName[], nothing: string): void {
  for (const name of names) say(`${how}  ${pathOf(name)}`);
  sayDone(names.length === 0 ? nothing : `${count(names.length, "migration")} ${how}`);
}

function pathOf({ source, name }: MigrationName): string {
  return source === "app" ? `migrations/${name}.sql` : `${name}.sql (of the package)`;
}
