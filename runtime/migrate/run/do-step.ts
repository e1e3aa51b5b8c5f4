import type { Step } from "../files/script.js";
import { patiently, tellingBlockers } from "../session/patience.js";
import { freshSession, inBriefTransaction, inTransaction } from "../session/session.js";
import { runBatches } from "./batches.js";
import { runIndex } from "./build-index.js";
import type { StepRun } from "./step-run.js";
import { runTally } from "./tally.js";

/** Does one step of a migration and notes it. */
export async function doStep({ step, ...rest }: StepRun): Promise<void> {
  await freshSession(rest.run.db);
  switch (step.kind) {
    case "transaction":
      return runTransaction({ ...rest, step });
    case "alone":
      return runAlone({ ...rest, step });
    case "index":
      return runIndex({ ...rest, step });
    case "batches":
      return runBatches({ ...rest, step });
    case "tally":
      return runTally({ ...rest, step });
  }
}

/** `transaction`, `index products__name__unique`, `batches of products`. */
export function describeStep(step: Step): string {
  if (step.kind === "index") return `index ${step.index}`;
  return "table" in step ? `${step.kind} of ${step.table}` : step.kind;
}

/** Statements and note, all or nothing. */
function runTransaction({ run, step, place, note }: StepRun<"transaction">) {
  return patiently(run, place, () =>
    inBriefTransaction(run.db, async () => {
      await note();
      await run.db.query(step.sql);
    }),
  );
}

/** Cut off before its note, it is done twice. */
async function runAlone({ run, step, place, note }: StepRun<"alone">) {
  await patiently(run, place, () => tellingBlockers(run, place, () => run.db.query(step.sql)));
  await inTransaction(run.db, note);
}
