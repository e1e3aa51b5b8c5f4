import {
  checkMigrations,
  type MigrationInspection,
  type MigrationName,
} from "../../migrate/index.js";
import { type ExitCode, exit } from "../exit.js";
import { count, fail, failProblems, say, sayDone, sayJson, warn } from "../report.js";
import { inspectDrift, sayDrift } from "./drift.js";
import { pathOf, progressNote } from "./messages.js";
import { type MigrateContext, namesOfApp, staleSnapshot } from "./up.js";

/**
 * Shows applied, pending, changed, missing and contradictory migrations. Differences between the
 * database and the applied migrations do not change the exit status.
 */
export async function showStatus(
  { folder, target, inspection: { refusals, ...inspection } }: MigrateContext,
  { json }: { readonly json?: true },
): Promise<ExitCode> {
  const texts = await folder.texts();
  const { problems, isSnapshotStale } = checkMigrations(texts, namesOfApp(inspection));
  if (isSnapshotStale) warn(staleSnapshot);
  const drift = await inspectDrift(target, inspection, texts);
  if ("unknown" in drift) warn(`The tables are not compared with the migrations: ${drift.unknown}`);
  if (json) {
    const compared = "unknown" in drift ? { differences: null, unmanaged: null } : drift;
    sayJson({ ...inspection, problems, ...compared });
  } else {
    sayMigrations(inspection);
    if (!("unknown" in drift)) sayDrift(drift);
  }
  if (problems.length > 0) failProblems(problems, refused);
  for (const { message, hint } of refusals) fail(message, hint);
  const { pending } = inspection;
  if (!json && pending.length > 0) {
    fail(`${count(pending.length, "migration")} pending`, "run: npx service migrate");
  }
  if (pending.length + problems.length + refusals.length > 0) return exit.mustChange;
  if (!json) sayDone("The database is up to date");
  return exit.done;
}

const refused = "migrate would apply nothing";

function sayMigrations({
  applied,
  pending,
  changed,
  lost,
}: Omit<MigrationInspection, "refusals">): void {
  for (const name of applied) {
    const isChanged = includes(changed, name) ? ", and its file has changed since" : "";
    const isLost = includes(lost, name) ? ", and its file is missing" : "";
    say(`applied  ${pathOf(name)}${isChanged}${isLost}`);
  }
  for (const one of pending) say(`pending  ${pathOf(one)}${progressNote(one)}`);
}

function includes(names: readonly MigrationName[], { source, name }: MigrationName): boolean {
  return names.some((one) => one.source === source && one.name === name);
}
