import { join } from "node:path";
import {
  type MigrationName,
  type MigrationResult,
  migrate,
  migrationStatus,
} from "../../runtime/db/index.js";
import { withDatabase } from "../database.js";
import { type ExitCode, exit } from "../exit.js";
import { count, fail, say, sayAside, sayDone, sayJson, warn } from "../report.js";

export interface MigrateOptions {
  readonly status?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Applies what is pending, or only tells what is. */
export async function migrateCommand(root: string, options: MigrateOptions): Promise<ExitCode> {
  const result = await withDatabase(root, (url) => {
    const target = { url, directory: join(root, "migrations") };
    return options.status
      ? migrationStatus(target)
      : migrate({ ...target, dryRun: options.dryRun ?? false, onWarning: warn });
  });
  if (options.json) sayJson(result);
  else if (options.status) reportStatus(result);
  else if (options.dryRun) reportDryRun(result);
  else reportApplied(result);
  return options.status && result.pending.length > 0 ? exit.mustChange : exit.done;
}

function reportStatus({ applied, pending }: MigrationResult): void {
  for (const name of applied) say(`applied  ${pathOf(name)}`);
  for (const name of pending) say(`pending  ${pathOf(name)}`);
  if (pending.length === 0) sayDone("The database is up to date");
  else fail(`${count(pending.length, "migration")} pending`, "run: service migrate");
}

function reportDryRun({ pending }: MigrationResult): void {
  for (const name of pending) say(`would apply  ${pathOf(name)}`);
  if (pending.length === 0) sayAside("There is nothing to apply");
}

function reportApplied({ applied }: MigrationResult): void {
  for (const name of applied) say(`applied  ${pathOf(name)}`);
  sayDone(
    applied.length === 0
      ? "The database is up to date"
      : `${count(applied.length, "migration")} applied`,
  );
}

function pathOf({ source, name }: MigrationName): string {
  return source === "app" ? `migrations/${name}.sql` : `${name}.sql (of the package)`;
}
