import { connectionProblem } from "../../db/index.js";
import {
  checkMigrations,
  checkServer,
  inspectMigrations,
  inspectUpkeep,
  MigrationError,
  type MigrationInspection,
  type MigrationTexts,
  migratedTables,
  repairUpkeep,
  type Trigrams,
  type Upkeep,
} from "../../migrate/index.js";
import { type DriftReport, inspectDrift } from "../migrate/drift.js";
import { type MigrationsFolder, migrationsFolder } from "../migrate/folder.js";
import { findLostParts } from "../migrate/lost-parts.js";
import { namesOfApp } from "../migrate/up.js";
import { count, type Finding } from "../report.js";
import { ok, problem, problemFindings, warning } from "./finding.js";
import { checkJobs } from "./jobs.js";

/** Checks the database and the app's objects in it; with `repair`, repairs them first if possible. */
export async function checkDatabase(
  root: string,
  url: string,
  { repair }: { readonly repair: boolean },
): Promise<readonly Finding[]> {
  let lacks: readonly Finding[] = [];
  const server = await findings("database", async () => {
    const { version, problems, ...found } = await checkServer(url);
    lacks = found.lacks.map(({ message, hint }) => problem("database", message, hint));
    return problems.length === 0
      ? [ok("database", `PostgreSQL ${version}`)]
      : problems.map(({ message, hint }) => problem("database", message, hint));
  });
  const folder = migrationsFolder(root);
  if (server.some(isProblem)) return [...server, ...(await fileFindings(folder))];
  const target = { url, directory: folder.directory };
  let inspection: MigrationInspection;
  let texts: MigrationTexts;
  try {
    inspection = await inspectMigrations({ ...target, files: await folder.files() });
    texts = await folder.texts();
  } catch (error) {
    return [...server, ...databaseFindings("migrations", error)];
  }
  const migrations = migrationFindings(texts, inspection);
  if (migrations.some(isProblem)) {
    return [...server, ...(inspection.pending.length === 0 ? [] : lacks), ...migrations];
  }
  const tables = migratedTables(texts, inspection.applied);
  // If the migrations' records are lost, only objects that the database itself registers are
  // checked.
  const inspect = () => inspectUpkeep(url, "unknown" in tables ? [] : tables);
  const repaired = repair
    ? await findings("repair", async () => {
        await repairUpkeep(url, await inspect());
        return [];
      })
    : [];
  const schema = await findings("schema", async () => [
    schemaFinding(
      await inspectDrift({ ...target, files: await folder.files() }, inspection, texts),
    ),
  ]);
  const lost = await findings("schema", async () =>
    (await findLostParts(root, url)).map(({ message, hint }) =>
      problem("schema", message, hint ?? seeStatus),
    ),
  );
  const upkeep = await findings("totals", async () => upkeepFindings(await inspect()));
  const jobs = await findings("jobs", () => checkJobs(url));
  return [...server, ...migrations, ...repaired, ...schema, ...lost, ...upkeep, ...jobs];
}

function schemaFinding(drift: DriftReport): Finding {
  if ("unknown" in drift) {
    return warning("schema", `not compared: ${drift.unknown}`, "fix that and run this again");
  }
  const { length } = drift.differences;
  return length === 0
    ? ok("schema", "matches the migrations")
    : warning("schema", `${count(length, "difference")} from what was migrated`, seeStatus);
}

const seeStatus = "npx service migrate --status lists them; fix them manually or by a migration";

/** Returns the problems of migration files, for when no database is available. */
export async function fileFindings(folder: MigrationsFolder): Promise<readonly Finding[]> {
  return problemFindings("migrations", checkMigrations(await folder.texts()).problems);
}

function migrationFindings(
  texts: MigrationTexts,
  { pending, refusals, ...inspection }: MigrationInspection,
): readonly Finding[] {
  const { problems } = checkMigrations(texts, namesOfApp(inspection));
  const found = [
    ...problemFindings("migrations", problems),
    ...refusals.map(({ message, hint }) => problem("migrations", message, hint)),
    ...(pending.length === 0 ? [] : [pendingFinding(pending.length)]),
  ];
  return found.length === 0 ? [ok("migrations", "all applied")] : found;
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

const repair = "run: npx service doctor --repair";

/** How to install the extension that the index of a search requires. */
const trigramFixes: Readonly<Record<Trigrams, string>> = {
  installed: repair,
  creatable: repair,
  refused: `in this database, with a role that may create extensions, run: create extension pg_trgm; then ${repair}`,
  missing: `install pg_trgm, a part of contrib, on PostgreSQL's machine, then ${repair}`,
};

function upkeepFindings(upkeep: Upkeep): Finding[] {
  const { wrongCounts, incompleteTallies, missingIndexes, trigrams } = upkeep;
  const loose = incompleteTallies.map((table) =>
    problem("totals", `${table}: a trigger is missing or disabled`, repair),
  );
  const wrong = wrongCounts.map(({ table, counted, kept, found: rows }) =>
    problem(
      "totals",
      `${table}: for ${counted}, the tally has ${kept}, but the table has ${rows}`,
      repair,
    ),
  );
  const slow = [...new Set(missingIndexes.map(({ table }) => table))].map((table) =>
    warning(
      "search",
      `${table}: an index is missing, searches read the whole table`,
      trigramFixes[trigrams],
    ),
  );
  return [
    ...(wrong.length + loose.length === 0 ? [ok("totals", "every tally is exact")] : []),
    ...loose,
    ...wrong,
    ...(slow.length === 0 ? [ok("search", "every search has its index")] : slow),
  ];
}

/** Returns the findings of the work; a database error is also a finding. */
async function findings(
  check: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    return databaseFindings(check, error);
  }
}

/** Returns a finding for each problem of the database; throws any other error. */
function databaseFindings(check: string, error: unknown): readonly Finding[] {
  const problems = error instanceof MigrationError ? error.problems : [connectionProblem(error)];
  return problems.map((one) => {
    if (one === null) throw error;
    return problem(check, one.message, one.hint);
  });
}
