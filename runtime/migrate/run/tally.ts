import { qualifiedTable } from "../../values/sql/table-name.js";
import { inTransactionWithLockTimeout } from "../session/transaction.js";
import { retryOnLockTimeout } from "./lock-retry.js";
import type { StepRun } from "./run.js";

/**
 * Changes the counts of a table's tally. First the triggers are replaced, which briefly blocks writers; from then on
 * every change is counted. Existing rows are counted without blocking writers, and added. After an interruption
 * everything is repeated: numbers not yet counted start at 0.
 */
export async function runTally({
  run,
  step,
  location,
  recordDone,
}: StepRun<"tally">): Promise<void> {
  const { db } = run;
  const table = qualifiedTable(step.table);
  await retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(db, async () => {
      await db.query(`lock table ${table} in share row exclusive mode`);
      await db.query(step.sql);
    }),
  );
  // A separate statement, so that its snapshot is taken after the commit.
  const [lacking] = await db.query<{ numbers: string }>(
    "select service.uncounted_numbers($1)::text as numbers",
    [step.table],
  );
  await retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(db, async () => {
      // `add_owners` reads the table, which must be locked before the register.
      await db.query("call service.add_owners($1)", [step.table]);
      await db.query("call service.add_numbers($1, $2)", [step.table, lacking?.numbers]);
      await recordDone();
    }),
  );
}
