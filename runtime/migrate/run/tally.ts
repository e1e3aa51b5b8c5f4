import { qualifiedTable } from "../../values/sql/table-name.js";
import { inTransactionWithLockTimeout } from "../session/transaction.js";
import { retryOnLockTimeout } from "./lock-retry.js";
import type { StepRun } from "./run.js";

/**
 * Changes the counts of a table's tally. First the triggers are replaced, for which writers wait
 * briefly; from then on every change is counted. The existing rows are counted while writers
 * continue, and added. If interrupted, all of it is repeated: numbers not counted yet start at 0.
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
  // A separate statement, so that its snapshot is taken after that commit.
  const [lacking] = await db.query<{ numbers: string }>(
    "select service.uncounted_numbers($1)::text as numbers",
    [step.table],
  );
  await retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(db, async () => {
      // `add_owners` reads the table, whose lock must be taken before the register's.
      await db.query("call service.add_owners($1)", [step.table]);
      await db.query("call service.add_numbers($1, $2)", [step.table, lacking?.numbers]);
      await recordDone();
    }),
  );
}
