import type { Queryable } from "../../db/index.js";
import { errorOf, JobFailed } from "../../errors/index.js";
import type { ClaimedJob, JobKinds } from "../job/definition.js";
import { keepFailed, tryLater } from "../store/end.js";
import { pauseBefore } from "./pauses.js";
import { storedReason } from "./stored-reason.js";

/** How a try has ended: `lost` with its process. */
export type JobResult = "done" | "failed" | "gave_up" | "timed_out" | "lost";

/** A try that has ended. `onEnded` gets each one, and nothing else reports them. */
export interface EndedTry {
  readonly name: string;
  readonly result: JobResult;
  /** How long it took; null where that is not known. */
  readonly seconds: number | null;
}

/** What the app's own code makes of a job. */
export interface Ran {
  /** The input that the code got. */
  readonly input: unknown;
  readonly value: unknown;
  /** Whether the job was deleted already, in the transaction of the code. */
  readonly isEnded: boolean;
}

/**
 * Runs the app's own code of a job; rejects at once when the signal is aborted. The seconds of the try count from the
 * call of `begin`: they do not pass while it waits for a connection of its own.
 */
export type RunJob = (job: ClaimedJob, signal: AbortSignal, begin: () => void) => Promise<Ran>;

/** The part of pino's logger that jobs use. */
export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What a try depends on. */
export interface AttemptParts {
  readonly db: Queryable;
  readonly kinds: JobKinds;
  readonly run: RunJob;
  readonly log: JobLog;
  readonly onEnded: (ended: EndedTry) => void;
}

/** The outcome of a try. `stopped`: the process ends, and the job is to be given back. */
export type Outcome =
  | { readonly kind: "done"; readonly ran: Ran }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "stopped" };

/** Aborts a try because its process ends. */
export class Stopped extends Error {}

/** A try has taken longer than it may. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`The job took more than ${seconds} s`);
    this.name = "TimedOut";
  }
}

/**
 * Tries a job once. A try that fails is logged, and the job stored for another one, or as failed; one that is done is
 * left to the caller, which deletes several at once.
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
      log.error({ err, name, id, attempt }, "A job has failed and is not tried again");
      await keepFailed(db, job, stored);
    } else {
      const seconds = pauseBefore(attempt + 1);
      const wait = Math.round(seconds * 1_000);
      log.error({ err, name, id, attempt, wait }, "A job has failed and is tried again");
      await tryLater(db, job, { ...stored, seconds });
    }
  } catch (problem) {
    // The lease expires instead, and the job is tried again by whoever notices.
    log.warn({ reason: storedReason(problem), name, id }, "A failed job could not be stored");
  }
}
