import type { Queryable } from "../../db/index.js";
import { errorOf, JobFailed } from "../../errors/index.js";
import type { ClaimedJob, JobKinds } from "../job/definition.js";
import { keepFailed, tryLater } from "../store/end.js";
import { pauseBefore } from "./pauses.js";
import { storedReason } from "./stored-reason.js";

/** The outcome of an attempt; `lost` if the process that ran it died. */
export type JobResult = "done" | "failed" | "gave_up" | "timed_out" | "lost";

/** A completed attempt, as passed to `onEnded`. */
export interface EndedTry {
  readonly name: string;
  readonly result: JobResult;
  /** The duration; null if unknown. */
  readonly seconds: number | null;
}

/** The result of running a job's app code. */
export interface Ran {
  /** The input passed to the app code. */
  readonly input: unknown;
  readonly value: unknown;
  /** Whether the app code's transaction already deleted the job. */
  readonly isEnded: boolean;
}

/**
 * Runs a job's app code; rejects as soon as the signal is aborted. The timeout starts when the app code calls `begin`,
 * after it has got its database connection.
 */
export type RunJob = (job: ClaimedJob, signal: AbortSignal, begin: () => void) => Promise<Ran>;

/** The part of pino's logger that jobs use. */
export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Dependencies of an attempt. */
export interface AttemptParts {
  readonly db: Queryable;
  readonly kinds: JobKinds;
  readonly run: RunJob;
  readonly log: JobLog;
  readonly onEnded: (ended: EndedTry) => void;
}

/** The outcome of an attempt. `stopped`: the process is shutting down and must release the job. */
export type Outcome =
  | { readonly kind: "done"; readonly ran: Ran }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "stopped" };

/** Aborts an attempt because the process is shutting down. */
export class Stopped extends Error {}

/** An attempt exceeded its timeout. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`The job took more than ${seconds} s`);
    this.name = "TimedOut";
  }
}

/**
 * Runs one attempt of a job. A failed attempt is logged, and the job is scheduled for a retry or marked as failed. The
 * caller deletes completed jobs in batches.
 */
export async function attemptJob(
  parts: AttemptParts,
  job: ClaimedJob,
  { cut, now = null }: { readonly cut: AbortController; readonly now?: Date | null },
): Promise<Outcome> {
  const { kinds, run, onEnded } = parts;
  const { timeout = 60 } = kinds.get(job.name) ?? {};
  let start = performance.now();
  let late: NodeJS.Timeout | undefined;
  const begin = () => {
    start = performance.now();
    late ??= setTimeout(() => cut.abort(new TimedOut(timeout)), timeout * 1_000);
  };
  const ended = (result: JobResult) =>
    onEnded({ name: job.name, result, seconds: (performance.now() - start) / 1_000 });
  try {
    const ran = await run(job, cut.signal, begin);
    ended("done");
    return { kind: "done", ran };
  } catch (error) {
    if (cut.signal.reason instanceof Stopped) return { kind: "stopped" };
    const isGivenUp = error instanceof JobFailed;
    if (isGivenUp) ended("gave_up");
    else ended(cut.signal.reason instanceof TimedOut ? "timed_out" : "failed");
    await storeFailure(parts, job, { error, isGivenUp, now });
    return { kind: "failed", error };
  } finally {
    clearTimeout(late);
  }
}

interface Failure {
  readonly error: unknown;
  readonly isGivenUp: boolean;
  readonly now: Date | null;
}

async function storeFailure(
  { db, log }: AttemptParts,
  job: ClaimedJob,
  { error, isGivenUp, now }: Failure,
): Promise<void> {
  const { name, id, attempt } = job;
  const err = errorOf(error);
  const stored = { error: storedReason(error), now };
  try {
    if (isGivenUp || attempt >= job.tries) {
      log.error({ err, name, id, attempt }, "A job has failed and is not retried");
      await keepFailed(db, job, stored);
    } else {
      const seconds = pauseBefore(attempt + 1);
      const wait = Math.round(seconds * 1_000);
      log.error({ err, name, id, attempt, wait }, "A job has failed and is retried");
      await tryLater(db, job, { ...stored, seconds });
    }
  } catch (problem) {
    // The lease will expire, and another process will retry the job.
    log.warn(
      { reason: storedReason(problem), name, id },
      "The failure of a job could not be stored",
    );
  }
}
