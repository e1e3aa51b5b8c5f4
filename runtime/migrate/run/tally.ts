import pg from "pg";
import { inTransactionWithLockTimeout } from "../session/transaction.js";
import { retryOnLockTimeout } from "./lock-retry.js";
import type { StepRun } from "./run.js";

/**
 * Changes what the tally of a table counts. From a moment on every change is counted; writers wait then
 * for as long as it takes to write the triggers. What was there already is counted while they go on, and
 * added when it is known. Cut off in between, all is done again: what is not counted yet begins at 0.
 */
export async function runTally({
  run,
  step,
  location,
  recordDone,
}: StepRun<"tally">): Promise<void> {
  const { db } = run;
  const table = `public.${pg.escapeIdentifier(step.table)}`;
  await retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(db, async () => {
      await db.query(`lock table ${table} in share row exclusive mode`);
      await db.query(step.sql);
    }),
  );
  // Its own snapshot, taken after that commit.
  const [lacking] = await db.query<{ numbers: string }>(
    "select service.uncounted_numbers($1)::text as numbers",
    [step.table],
  );
  await retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(db, async () => {
      await db.query("call service.add_numbers($1, $2)", [step.table, lacking?.numbers]);
      await recordDone();
    }),
  );
}
