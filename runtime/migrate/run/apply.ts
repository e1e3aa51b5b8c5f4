import type { Step } from "../files/script.js";
import { addToLedger, removeFromLedger } from "../ledger.js";
import type { PlannedTask } from "../plan.js";
import { inTransaction } from "../session/session.js";
import { refuseFound } from "./checks.js";
import { describeStep, doStep } from "./do-step.js";
import { forgetSteps, type NotedStep, noteDone, notePosition } from "./progress.js";
import { firstLine, placeOf, refusalOf } from "./refusal.js";
import type { Run } from "./run.js";

/**
 * Does what is still to do of a file, step by step, and notes each in its own transaction, the last one
 * together with the whole file. So a file of one transaction is applied and in the ledger, or neither.
 *
 * @throws {MigrationError} with the file and line that PostgreSQL refused, or what its checks found.
 */
export async function carryOut(run: Run, task: PlannedTask): Promise<void> {
  const { script, begun } = task;
  const done = begun.filter((row) => row.done).length;
  if (begun.length === 0) await refuseFound(run, task);
  for (const [at, step] of script.steps.entries()) {
    if (at >= done) await carryOutStep(run, task, { step, number: at + 1 });
  }
  if (script.steps.length <= done) await inTransaction(run.db, () => finish(run, task));
}

async function carryOutStep(
  run: Run,
  task: PlannedTask,
  { step, number }: { readonly step: Step; readonly number: number },
): Promise<void> {
  const { file, direction, script, begun } = task;
  const { source, name, path } = file;
  const steps = script.steps.length;
  run.onProgress({ source, name, path, step: number, steps, what: describeStep(step) });
  const noted: NotedStep = {
    file,
    direction,
    step: number,
    checksum: step.checksum,
    breaking: script.breaking,
  };
  // Batches whose statement was changed since begin anew.
  const former = begun.find((row) => row.step === number && row.checksum === step.checksum);
  try {
    await doStep({
      run,
      step,
      direction,
      place: placeOf(file, firstLine(step)),
      position: former?.position ?? null,
      note: async () => {
        if (number === steps) await finish(run, task);
        else await noteDone(run.db, noted);
      },
      notePosition: async (id) => {
        await notePosition(run.db, noted, id);
      },
    });
  } catch (error) {
    // Batches are done one by one, and a tally is changed before it is filled.
    const inParts = step.kind === "batches" || step.kind === "tally";
    throw refusalOf({ file, direction, part: step, begun: number > 1 || inParts }, error);
  }
}

/** Notes that the file is applied, or undone; in the transaction of its last step. */
async function finish({ db }: Run, { file, direction, script }: PlannedTask): Promise<void> {
  if (direction === "up") await addToLedger(db, file, script);
  else await removeFromLedger(db, file);
  await forgetSteps(db, file);
}
