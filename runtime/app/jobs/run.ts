import { limitedDatabase } from "../../db/index.js";
import { type ClaimedJob, deleteDone, type Ran, type RunJob } from "../../jobs/index.js";
import type { JobContext, Services } from "../../own-code/index.js";
import { callJob } from "../../resource/index.js";
import { checkInput } from "./input.js";
import type { JobsOfApp } from "./read.js";

/** Runs the app's own code of a job, with its context. */
export function jobRunner(services: Services, { jobs }: Pick<JobsOfApp, "jobs">): RunJob {
  const db = limitedDatabase(services.db, connectionsFor(services.config.database.poolSize));
  const actor = { services: { ...services, db }, caller: null };

  return async (claimed, signal): Promise<Ran> => {
    const job = Object.hasOwn(jobs, claimed.name) ? jobs[claimed.name] : undefined;
    if (job === undefined) throw new Error(`There is no job "${claimed.name}"`);
    const checked = await checkInput(job.input, JSON.parse(claimed.input));
    if ("problem" in checked) {
      throw new TypeError(`The stored input no longer fits: ${checked.problem}`);
    }
    const { id, attempt, scheduledAt, traceparent } = claimed;
    const isEnded = job.transaction === true;
    const end = isEnded ? endIn(claimed) : null;
    const what = `the job "${claimed.name}"`;
    const call = { what, id, attempt, scheduledAt, traceparent, signal, end };
    const value = await callJob(actor, call, (context: JobContext) =>
      job.run(checked.value, context),
    );
    return { input: checked.value, value, isEnded };
  };
}

/** Half of the pool, of which the queue itself uses one. */
function connectionsFor(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize / 2) - 1);
}

/** Ends a job in its own transaction, which is rolled back where another process has taken the job over. */
function endIn(job: ClaimedJob) {
  return async (tx: Parameters<typeof deleteDone>[0]) => {
    const deleted = await deleteDone(tx, [job]);
    if (!deleted.has(job.id)) throw new Error("Another process has taken the job over");
  };
}
