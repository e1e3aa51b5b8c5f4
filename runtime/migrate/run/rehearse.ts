import { isConnectionLost, sqlState, timeLimit } from "../../db/index.js";
import { LockTimeout, MigrationError } from "../error.js";
import type { ScriptPart, Step } from "../files/script.js";
import { resetSession } from "../session/transaction.js";
import { failedChecks, failedChecksError } from "./checks.js";
import { retryOnLockTimeout } from "./lock-retry.js";
import type { PlannedTask } from "./plan.js";
import type { Run } from "./run.js";
import { lineReference, stepError } from "./step-error.js";

/**
 * Undoes several migrations in a transaction that is rolled back, so that the checks of each run on the schema that the
 * previous ones leave. Meanwhile, the tables that they change are locked. No rehearsal is needed if only the first has
 * checks, as those run first anyway.
 *
 * @throws {MigrationError} with the findings of the checks, or the step that failed; nothing was changed.
 */
export async function rehearse(run: Run, tasks: readonly PlannedTask[]): Promise<void> {
  const last = tasks.findLastIndex(({ script, recorded }) => hasChecks(script.checks, recorded));
  if (last < 1) return;
  const rehearsed = tasks.slice(0, last + 1);
  const [first] = rehearsed;
  if (first === undefined) return;
  const found = await retryOnLockTimeout(run, lineReference(first.file, 1), () =>
    rehearseOnce(run, rehearsed),
  );
  if (found.length > 0) throw failedChecksError(found, first, "nothing was undone");
}

function hasChecks(checks: readonly unknown[], recorded: readonly unknown[]): boolean {
  return checks.length > 0 && recorded.length === 0;
}

/** Returns the findings of the checks, one sentence each. */
async function rehearseOnce(run: Run, tasks: readonly PlannedTask[]): Promise<readonly string[]> {
  const { db } = run;
  const found: string[] = [];
  await resetSession(db);
  await db.query("begin");
  let current: { readonly task: PlannedTask; readonly part: ScriptPart } | null = null;
  try {
    for (const [at, task] of tasks.entries()) {
      const { script, recorded } = task;
      if (hasChecks(script.checks, recorded)) found.push(...(await failedChecks(run, task)));
      if (at === tasks.length - 1) break;
      const done = recorded.filter((row) => row.done).length;
      for (const step of script.steps.slice(done)) {
        current = { task, part: step };
        await resetSession(db);
        await db.query("set local lock_timeout to '100ms'");
        await db.query(transactionalSql(step), step.kind === "batches" ? allIds : undefined);
      }
    }
  } catch (error) {
    // If rows were already found, a failure that they cause adds no information.
    if (found.length > 0 && !isConnectionLost(error)) return found;
    if (isRehearsalLimit(error)) {
      run.onWarning("Not every check could be run in advance; each is run before its migration");
      return [];
    }
    if (current === null || timeLimit(error) === "lock") throw error;
    throw rehearsalError(current.task, current.part, error);
  } finally {
    await db.query("rollback").catch(() => {});
  }
  return found;
}

function rehearsalError(task: PlannedTask, part: ScriptPart, error: unknown): unknown {
  if (error instanceof LockTimeout) return error;
  const { message } = stepError({ ...task, part, begun: false }, error);
  return new MigrationError(
    message,
    "nothing was undone; fix it and run npx service migrate --down again",
    {
      cause: error,
    },
  );
}

/** The SQL without `concurrently`, which is not allowed in transactions; the index is the same. */
function transactionalSql({ kind, sql }: Step): string {
  return kind === "index" || kind === "alone"
    ? sql.replace(/\b(index)\s+concurrently\b/i, "$1")
    : sql;
}

/** The smallest and the largest id: one batch for all rows. */
const allIds = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

/**
 * Whether only the long transaction causes the error: a statement must run outside one, or there are pending triggers
 * or too many locks.
 */
function isRehearsalLimit(error: unknown): boolean {
  return ["25001", "55006", "53200"].includes(sqlState(error) ?? "");
}
