import { readDirective, type StepDirective } from "../files/directive.js";
import type { Step } from "../files/script.js";
import {
  inTransaction,
  inTransactionWithLockTimeout,
  resetSession,
} from "../session/transaction.js";
import { runBatches } from "./batches.js";
import { runIndex } from "./build-index.js";
import { reportingBlockers, retryOnLockTimeout } from "./lock-retry.js";
import type { StepRun } from "./run.js";
import { runAdopt } from "./steps/adopt.js";
import { runTally } from "./tally.js";

/** Runs one step of a migration and records it. */
export async function runStep({ step, ...rest }: StepRun): Promise<void> {
  await resetSession(rest.run.db);
  switch (step.kind) {
    case "transaction":
      return runTransaction({ ...rest, step });
    case "adopt":
      return runAdopt({ ...rest, step });
    case "alone":
      return runAlone({ ...rest, step });
    case "index":
      return runIndex({ ...rest, step });
    case "batches":
      return runBatches({ ...rest, step });
    case "tally":
      return runTally({ ...rest, step });
    case "steps":
      return runGivenSteps({ ...rest, step });
  }
}

/**
 * Runs the steps that a query returns, each as the text after `-- @` and its SQL. After an interruption, the query runs
 * again and returns the remaining steps.
 */
async function runGivenSteps(given: StepRun<"steps">): Promise<void> {
  const { run, step, recordDone } = given;
  const rows = await run.db.query<{ directive: string; sql: string }>(step.sql);
  const nothing = async () => {};
  for (const { directive, sql } of rows) {
    await runStep({
      ...given,
      step: { ...step, ...stepDirective(directive), sql },
      position: null,
      recordDone: nothing,
      recordPosition: nothing,
    });
  }
  await inTransaction(run.db, recordDone);
}

function stepDirective(text: string): StepDirective {
  const found = readDirective(text);
  if ("problem" in found) throw new Error(`${text}: ${found.problem}`);
  if (found.kind === "check" || found.kind === "schema") throw new Error("A check is not a step");
  return found;
}

/** Returns `transaction`, `index products__name__unique` or `batches of products`. */
export function describeStep(step: Step): string {
  if (step.kind === "index") return `index ${step.index}`;
  if (step.kind === "adopt") return `adoption of ${step.tables.join(", ")}`;
  return "table" in step ? `${step.kind} of ${step.table}` : step.kind;
}

/** Runs the statements and records the step in one transaction. */
function runTransaction({ run, step, location, recordDone }: StepRun<"transaction">) {
  return retryOnLockTimeout(run, location, () =>
    inTransactionWithLockTimeout(run.db, async () => {
      await recordDone();
      await run.db.query(step.sql);
    }),
  );
}

/** Runs the statement, then records it. If interrupted in between, the statement runs twice. */
async function runAlone({ run, step, location, recordDone }: StepRun<"alone">) {
  await retryOnLockTimeout(run, location, () =>
    reportingBlockers(run, location, () => run.db.query(step.sql)),
  );
  await inTransaction(run.db, recordDone);
}
