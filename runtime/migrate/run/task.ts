import type { Step } from "../files/script.js";
import { addToLedger, removeFromLedger } from "../history/ledger.js";
import { deleteSteps, recordDone, recordPosition, type StepRecord } from "../history/steps.js";
import { inTransaction } from "../session/transaction.js";
import { refuseFailedChecks } from "./checks.js";
import type { PlannedTask } from "./plan.js";
import type { Run } from "./run.js";
import { describeStep, runStep } from "./step.js";
import { firstLine, lineReference, stepError } from "./step-error.js";

/**
 * Runs the remaining steps of a file and records each in its own transaction, the last one together with the file. A
 * file with a single transaction is therefore applied and recorded atomically.
 *
 * @throws {MigrationError} with the file and line that PostgreSQL refused, or the rows that its checks found.
 */
export async function runTask(run: Run, task: PlannedTask): Promise<void> {
  const { script, recorded } = task;
  const done = recorded.filter((row) => row.done).length;
  if (recorded.length === 0) await refuseFailedChecks(run, task);
  for (const [at, step] of script.steps.entries()) {
    if (at >= done) await runTaskStep(run, task, { step, number: at + 1 });
  }
  if (script.steps.length <= done) await inTransaction(run.db, () => finish(run, task));
}

async function runTaskStep(
  run: Run,
  task: PlannedTask,
  { step, number }: { readonly step: Step; readonly number: number },
): Promise<void> {
  const { file, direction, script, recorded } = task;
  const { source, name, path } = file;
  const steps = script.steps.length;
  run.onProgress({ source, name, path, step: number, steps, what: describeStep(step) });
  const record: StepRecord = {
    file,
    direction,
    step: number,
    checksum: step.checksum,
    breaking: script.breaking,
  };
  // If the statement of the batches has changed since, they start again.
  const previous = recorded.find((row) => row.step === number && row.checksum === step.checksum);
  try {
    await runStep({
      run,
      step,
      direction,
      location: lineReference(file, firstLine(step)),
      position: previous?.position ?? null,
      recordDone: async () => {
        if (number === steps) await finish(run, task);
        else await recordDone(run.db, record);
      },
      recordPosition: async (id) => {
        await recordPosition(run.db, record, id);
      },
    });
  } catch (error) {
    // Batches are committed individually, and a tally is changed before it is filled.
    const inParts = ["batches", "tally", "steps"].includes(step.kind);
    throw stepError({ file, direction, part: step, begun: number > 1 || inParts }, error);
  }
}

/** Records the file as applied or undone; must be called in the transaction of its last step. */
async function finish({ db }: Run, { file, direction, script }: PlannedTask): Promise<void> {
  if (direction === "up") await addToLedger(db, file, script);
  else await removeFromLedger(db, file);
  await deleteSteps(db, file);
}
