import { qualifiedTable } from "../../../values/sql/table-name.js";
import { MigrationError } from "../../error.js";
import { inTransaction, inTransactionWithLockTimeout } from "../../session/transaction.js";
import { retryOnLockTimeout } from "../lock-retry.js";
import type { StepRun } from "../run.js";

/**
 * Creates the adopted tables in a database that has none of them, such as a test database or another developer's. A
 * database that has them all is the adopted one, and is not changed.
 *
 * @throws {MigrationError} if the database has only some of them.
 */
export async function runAdopt({
  run,
  step,
  location,
  recordDone,
}: StepRun<"adopt">): Promise<void> {
  const { db } = run;
  const missing = await missingTables(run, step.tables);
  if (missing.length === 0) return inTransaction(db, recordDone);
  if (missing.length < step.tables.length) throw someMissing(location, step.tables, missing);
  await retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(db, async () => {
      await recordDone();
      await db.query(step.sql);
    }),
  );
}

async function missingTables(
  { db }: StepRun["run"],
  tables: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ name: string }>(
    "select name from unnest($1::text[], $2::text[]) as wanted (name, place) where to_regclass(place) is null",
    [tables, tables.map(qualifiedTable)],
  );
  return rows.map(({ name }) => name);
}

/** The maximum number of names in a message: enough to recognize the database. */
const maxNames = 10;

function someMissing(
  location: string,
  tables: readonly string[],
  missing: readonly string[],
): MigrationError {
  const names = missing.slice(0, maxNames).join(", ");
  const more = missing.length > maxNames ? " …" : "";
  return new MigrationError(
    `${location}: the database lacks ${missing.length} of the ${tables.length} adopted tables: ${names}${more}`,
    "nothing was applied; use the adopted database, or one that has none of them",
  );
}
