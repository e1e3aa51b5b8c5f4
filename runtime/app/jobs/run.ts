import pLimit from "p-limit";
import { limitedDatabase } from "../../db/index.js";
import { type ClaimedJob, deleteDone, type Ran, type RunJob } from "../../jobs/index.js";
import {
  type JobContext,
  type JobInput,
  type Services,
  servicesFor,
} from "../../own-code/index.js";
import { type RequestState, readTraceparent } from "../../request/index.js";
import { callJob } from "../../resource/index.js";
import { checkInput } from "./input.js";
import type { JobsOfApp } from "./read.js";

/** Runs the app code of a job with its context. */
export function jobRunner(
  services: Services,
  { jobs, kinds }: Pick<JobsOfApp, "jobs" | "kinds">,
): RunJob {
  const most = connectionsFor(services.config.database.poolSize);
  const limited = { ...services, db: limitedDatabase(services.db, most) };
  // Jobs that hold a connection leave at least one to other statements, if there are several.
  const holding = pLimit(Math.max(1, most - 1));

  return async (claimed, signal, begin): Promise<Ran> => {
    const job = Object.hasOwn(jobs, claimed.name) ? jobs[claimed.name] : undefined;
    if (job === undefined) throw new Error(`There is no job "${claimed.name}"`);
    const { id, attempt, scheduledAt, traceparent } = claimed;
    const isEnded = job.transaction === true;
    const about = { what: `the job "${claimed.name}"`, id, attempt, scheduledAt, traceparent };
    const mostMs = (kinds.get(claimed.name)?.timeout ?? 0) * 1_000;
    const call = { ...about, signal, begin, mostMs, end: isEnded ? endIn(claimed) : null };
    const actor = { services: servicesFor(limited, stateOf(claimed)), caller: null };
    let input: unknown;
    const run = async () => {
      // The job may have been aborted while it waited for a slot.
      signal.throwIfAborted();
      return callJob(actor, call, async (context: JobContext) => {
        input = await storedInput(job.input, claimed);
        return job.run(input, context);
      });
    };
    const value = await (isEnded ? holding(run) : run());
    return { input, value, isEnded };
  };
}

/** Returns the state of an attempt; its log lines contain the job's name, id and attempt. */
function stateOf({ name, id, attempt, traceparent }: ClaimedJob): RequestState {
  const trace = readTraceparent(traceparent);
  return {
    fields: {
      job: name,
      jobId: id,
      attempt,
      ...(trace !== null && { trace_id: trace.traceId, span_id: trace.spanId }),
    },
    traceparent,
    route: null,
    accountId: null,
    viewerId: null,
    serviceToken: null,
    job: name,
    client: () => null,
    database: null,
  };
}

/** Validates the stored input with the schema of this release. */
async function storedInput(schema: JobInput, { input }: ClaimedJob): Promise<unknown> {
  const checked = await checkInput(schema, JSON.parse(input));
  if ("problem" in checked) {
    throw new TypeError(`The stored input is no longer valid: ${checked.problem}`);
  }
  return checked.value;
}

/** Returns the number of connections for app code: half of the pool, less one for the queue itself. */
function connectionsFor(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize / 2) - 1);
}

/** Completes a job in its own transaction, which is rolled back if another process has taken over the job. */
function endIn(job: ClaimedJob) {
  return async (tx: Parameters<typeof deleteDone>[0]) => {
    const deleted = await deleteDone(tx, [job]);
    if (!deleted.has(job.id)) throw new Error("Another process has taken over the job");
  };
}
