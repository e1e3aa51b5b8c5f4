import { isConnectionLost, sqlState, timeLimit } from "../../db/index.js";
import { LockNotHad, MigrationError } from "../error.js";
import type { Part, Step } from "../files/script.js";
import type { PlannedTask } from "../plan.js";
import { patiently } from "../session/patience.js";
import { freshSession } from "../session/session.js";
import { countChecks, foundRows } from "./checks.js";
import { placeOf, refusalOf } from "./refusal.js";
import type { Run } from "./run.js";

/**
 * Undoes several migrations in one transaction that is rolled back, so that the checks of each count on
 * the schema that the ones before it leave. Tables that they change are locked meanwhile. One migration
 * alone, or several of which only the first has checks, need no rehearsal: those are counted before
 * anything is done.
 *
 * @throws {MigrationError} with what the checks found, or the step that failed; nothing was done then.
 */
export async function rehearse(run: Run, tasks: readonly PlannedTask[]): Promise<void> {
  const last = tasks.findLastIndex(({ script, begun }) => hasChecks(script.checks, begun));
  if (last < 1) return;
  const rehearsed = tasks.slice(0, last + 1);
  const [first] = rehearsed;
  if (first === undefined) return;
  const found = await patiently(run, placeOf(first.file, 1), () => attempt(run, rehearsed));
  if (found.length > 0) throw foundRows(found, first, "nothing was undone");
}

function hasChecks(checks: readonly unknown[], begun: readonly unknown[]): boolean {
  return checks.length > 0 && begun.length === 0;
}

/** What the checks found, a sentence each. */
async function attempt(run: Run, tasks: readonly PlannedTask[]): Promise<readonly string[]> {
  const { db } = run;
  const found: string[] = [];
  await freshSession(db);
  await db.query("begin");
  let current: { readonly task: PlannedTask; readonly part: Part } | null = null;
  try {
    for (const [at, task] of tasks.entries()) {
      const { script, begun } = task;
      if (hasChecks(script.checks, begun)) found.push(...(await countChecks(run, task)));
      if (at === tasks.length - 1) break;
      const done = begun.filter((row) => row.done).length;
      for (const step of script.steps.slice(done)) {
        current = { task, part: step };
        await freshSession(db);
        await db.query("set local lock_timeout to '100ms'");
        await db.query(textOf(step), step.kind === "batches" ? allIds : undefined);
      }
    }
  } catch (error) {
    // After rows were found, what fails on them says nothing new.
    if (found.length > 0 && !isConnectionLost(error)) return found;
    if (isOnlyOfRehearsal(error)) {
      run.onWarning("Not every check could be counted ahead; each is counted before its migration");
      return [];
    }
    if (current === null || timeLimit(error) === "lock") throw error;
    throw refusal(current.task, current.part, error);
  } finally {
    await db.query("rollback").catch(() => {});
  }
  return found;
}

function refusal(task: PlannedTask, part: Part, error: unknown): unknown {
  if (error instanceof LockNotHad) return error;
  const { message } = refusalOf({ ...task, part, begun: false }, error);
  return new MigrationError(
    message,
    "nothing was undone; fix it and run npx service migrate --down again",
    {
      cause: error,
    },
  );
}

/** Without the word that no transaction allows; the index is the same. */
function textOf({ kind, sql }: Step): string {
  return kind === "index" || kind === "alone"
    ? sql.replace(/\b(index)\s+concurrently\b/i, "$1")
    : sql;
}

/** The least and the greatest id: one batch of all. */
const allIds = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

/** Refused in a long transaction only: a statement that wants none, pending triggers, too many locks. */
function isOnlyOfRehearsal(error: unknown): boolean {
  return ["25001", "55006", "53200"].includes(sqlState(error) ?? "");
}
