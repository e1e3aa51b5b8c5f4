import { join } from "node:path";
import { checkMigrations } from "../../generator/migration/check.js";
import { connectionProblem } from "../../runtime/db/index.js";
import {
  checkServer,
  inspectMigrations,
  inspectUpkeep,
  MigrationError,
  migrationStatus,
  repairUpkeep,
  type Upkeep,
} from "../../runtime/migrate/index.js";
import { inspectDrift, migratedTables } from "../migrate/drift.js";
import { namesOfApp } from "../migrate/up.js";
import { count } from "../report.js";
import { type Finding, ok, problem, problemFindings, warning } from "./finding.js";

/** The database and what the app has in it; with `repair`, what can be repaired is repaired first. */
export async function checkDatabase(
  root: string,
  url: string,
  { repair }: { readonly repair: boolean },
): Promise<readonly Finding[]> {
  const server = await findings("database", async () => {
    const { version, problems } = await checkServer(url);
    return problems.length === 0
      ? [ok("database", `PostgreSQL ${version}`)]
      : problems.map(({ message, hint }) => problem("database", message, hint));
  });
  if (server.some(isProblem)) return [...server, ...checkMigrationFiles(root)];
  const migrations = await findings("migrations", () => checkPending(root, url));
  if (migrations.some(isProblem)) return [...server, ...migrations];
  const repaired = repair ? await repairs(root, url) : [];
  const schema = await found("schema", () => checkSchema(root, url));
  return [...server, ...migrations, ...repaired, schema, ...(await upkeep(root, url))];
}

async function checkSchema(root: string, url: string): Promise<Finding> {
  const target = { url, directory: join(root, "migrations") };
  const drift = await inspectDrift(target, await migrationStatus(target));
  if ("unknown" in drift) {
    return warning("schema", `not compared: ${drift.unknown}`, "fix that and run this again");
  }
  const { length } = drift.differences;
  return length === 0
    ? ok("schema", "as the migrations made it")
    : warning("schema", `${count(length, "difference")} from what was migrated`, seeStatus);
}

const seeStatus = "npx service migrate --status tells each; fix them by hand or by a migration";

async function repairs(root: string, url: string): Promise<readonly Finding[]> {
  return findings("repair", async () => {
    await repairUpkeep(url, await upkeepOf(root, url));
    return [];
  });
}

function upkeep(root: string, url: string): Promise<readonly Finding[]> {
  return findings("totals", async () => upkeepFindings(await upkeepOf(root, url)));
}

/** Where the migrations' records are lost, only what the database itself knows is looked at. */
async function upkeepOf(root: string, url: string): Promise<Upkeep> {
  const target = { url, directory: join(root, "migrations") };
  const tables = migratedTables(target, await migrationStatus(target));
  return inspectUpkeep(url, "unknown" in tables ? [] : tables);
}

/** What is wrong with the files of migrations, where no database can be asked. */
export function checkMigrationFiles(root: string): readonly Finding[] {
  return problemFindings("migrations", checkMigrations(root).problems);
}

async function checkPending(root: string, url: string): Promise<readonly Finding[]> {
  const target = { url, directory: join(root, "migrations") };
  const { pending, refusals, ...inspection } = await inspectMigrations(target);
  const problems = [
    ...problemFindings("migrations", checkMigrations(root, namesOfApp(inspection)).problems),
    ...refusals.map(({ message, hint }) => problem("migrations", message, hint)),
    ...(pending.length === 0 ? [] : [pendingFinding(pending.length)]),
  ];
  return problems.length === 0 ? [ok("migrations", "all applied")] : problems;
}

function pendingFinding(pending: number): Finding {
  return problem(
    "migrations",
    `${count(pending, "migration")} pending`,
    "run: npx service migrate",
  );
}

function isProblem({ state }: Finding): boolean {
  return state === "problem";
}

function upkeepFindings({ wrongCounts, incompleteTallies, missingIndexes }: Upkeep): Finding[] {
  const loose = incompleteTallies.map((table) =>
    problem(
      "totals",
      `${table}: a trigger of the tally is missing`,
      "run: npx service doctor --repair",
    ),
  );
  const wrong = wrongCounts.map(({ table, counted, kept, found: rows }) =>
    problem(
      "totals",
      `${table}: the tally has ${kept} for ${counted}, the table ${rows}`,
      "run: npx service doctor --repair",
    ),
  );
  const slow = [...new Set(missingIndexes.map(({ table }) => table))].map((table) =>
    warning(
      "search",
      `${table}: an index is missing, searches read the whole table`,
      "have the extension pg_trgm installed, then run: npx service doctor --repair",
    ),
  );
  return [
    ...(wrong.length + loose.length === 0 ? [ok("totals", "every tally is exact")] : []),
    ...loose,
    ...wrong,
    ...(slow.length === 0 ? [ok("search", "every search has its index")] : slow),
  ];
}

async function found(check: string, work: () => Promise<Finding>): Promise<Finding> {
  const [finding] = await findings(check, async () => [await work()]);
  return finding ?? ok(check, "");
}

/** A database that refuses is a finding, too. */
async function findings(
  check: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    const problems = error instanceof MigrationError ? error.problems : [connectionProblem(error)];
    return problems.map((one) => {
      if (one === null) throw error;
      return problem(check, one.message, one.hint);
    });
  }
}
