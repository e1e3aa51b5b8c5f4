import pg from "pg";
import { messageOf, type Queryable, sqlState, uniqueViolation } from "../../db/index.js";
import { MigrationError } from "../error.js";
import { inTransaction } from "../session/transaction.js";
import { addTrigramsToSearchPath, searchFunction } from "../session/trigrams.js";
import { reportingBlockers, retryOnLockTimeout } from "./lock-retry.js";
import type { StepRun } from "./run.js";
import { phrases } from "./step-error.js";

/**
 * Builds an index without blocking writers. An interrupted or failed build leaves an invalid index, which slows writes
 * and serves no reads: it is dropped. If a valid index already exists, a run was killed before it recorded the step.
 *
 * @throws {MigrationError} if a unique index finds duplicates, or another table has an index with that name.
 */
export async function runIndex({
  run,
  step,
  direction,
  location,
  recordDone,
}: StepRun<"index">): Promise<void> {
  const { db } = run;
  const table = tableOf(step.sql);
  if (!step.trigram || (await ensureTrigrams({ run, step, location, table }))) {
    const sql = step.trigram ? (await searchFunction(db))(step.sql) : step.sql;
    const build = { ...step, sql, table, direction, location };
    await retryOnLockTimeout(run, location, () =>
      reportingBlockers(run, location, () => buildIndex(db, build)),
    );
  }
  await inTransaction(db, recordDone);
}

interface Build extends Pick<StepRun, "direction" | "location"> {
  readonly index: string;
  readonly sql: string;
  /** The table's name as spelled in the statement; null if it cannot be determined. */
  readonly table: string | null;
}

async function buildIndex(db: Queryable, build: Build): Promise<void> {
  const there = await findIndex(db, build);
  if (there?.elsewhere) {
    throw new MigrationError(
      `${build.location}: an index ${build.index} already exists, on the table ${there.table}`,
      "rename one of the two",
    );
  }
  if (there?.whole) return;
  await dropBroken(db, build);
  try {
    await db.query(build.sql);
  } catch (error) {
    await dropBroken(db, build).catch(() => {});
    throw uniqueViolation(error) === null ? error : duplicatesError(build, error);
  }
  if ((await findIndex(db, build)) !== null) return;
  throw new MigrationError(
    `${build.location}: this created no index called ${build.index} in the schema of its table`,
    "the directive and the statement below it must have the same name",
  );
}

interface FoundIndex {
  readonly whole: boolean;
  readonly schema: string;
  readonly table: string;
  readonly elsewhere: boolean;
}

async function findIndex(
  db: Queryable,
  { index, table }: Pick<Build, "index" | "table">,
): Promise<FoundIndex | null> {
  const [found = null] = await db.query<FoundIndex>(
    `select
       indisvalid and indisready as whole,
       relnamespace::regnamespace::text as schema,
       indrelid::regclass::text as table,
       indrelid is distinct from coalesce(to_regclass($2)::oid, indrelid) as elsewhere
     from pg_class
     join pg_index on indexrelid = pg_class.oid
     where relname = $1
       and relnamespace = coalesce(
         (select relnamespace from pg_class where oid = to_regclass($2)), 'public'::regnamespace
       )`,
    [index, table],
  );
  return found;
}

async function dropBroken(db: Queryable, build: Build): Promise<void> {
  const found = await findIndex(db, build);
  if (found === null || found.whole || found.elsewhere) return;
  await db.query(
    `drop index concurrently if exists ${found.schema}.${pg.escapeIdentifier(build.index)}`,
  );
}

/** The table as spelled in the statement. */
function tableOf(sql: string): string | null {
  const name = String.raw`(?:"(?:[^"]|"")+"|[^\s"(.;]+)`;
  const statement = new RegExp(
    String.raw`\bconcurrently\s+(?:if\s+not\s+exists\s+)?${name}\s+on\s+(?:only\s+)?(${name}(?:\.${name})?)`,
    "i",
  );
  return statement.exec(sql)?.[1] ?? null;
}

/** The values may be confidential, so the message contains a statement that shows them to roles with access. */
function duplicatesError({ index, direction, location }: Build, error: unknown): MigrationError {
  const { detail = "", table = "" } = error instanceof pg.DatabaseError ? error : {};
  const columns = /^Key \((.*?)\)=\(/.exec(detail)?.[1];
  const shown =
    columns === undefined
      ? ""
      : `\n  this statement shows them: select ${columns}, count(*) from ${pg.escapeIdentifier(table)} where (${columns}) is not null group by ${columns} having count(*) > 1;`;
  return new MigrationError(
    `${location}: the unique index ${index} cannot be built, because there are duplicate values${shown}`,
    `fix those rows and run ${phrases[direction].command} again: it continues from here`,
    { cause: error },
  );
}

/** Creates the extension with the index's operators; returns false, with a warning, if it is not available. */
async function ensureTrigrams({
  run: { db, onWarning },
  step,
  location,
  table,
}: Pick<StepRun<"index">, "run" | "step" | "location"> & Pick<Build, "table">): Promise<boolean> {
  try {
    await db.query("create extension if not exists pg_trgm");
  } catch (error) {
    if (!extensionUnavailable.has(sqlState(error) ?? "")) throw error;
    onWarning(
      `${location}: ${step.index} was not created, and searches in ${table ?? "its table"} read the whole table: ${messageOf(error)}; install pg_trgm and run: npx service doctor --repair`,
    );
    return false;
  }
  await addTrigramsToSearchPath(db);
  return true;
}

/** SQLSTATEs: missing privilege; not installed, or not allowed by the provider; missing files. */
const extensionUnavailable = new Set(["42501", "0A000", "58P01"]);
