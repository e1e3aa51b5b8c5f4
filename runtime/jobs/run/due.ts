import type { Database } from "../../db/index.js";
import type { ClaimedJob, Schedule } from "../job/definition.js";
import { claimJobs } from "../store/claim.js";
import { deleteDone } from "../store/end.js";
import { earliestTime, timeOf } from "../store/schedules.js";
import { type AttemptParts, attemptJob } from "./attempt.js";
import { addDueJobs, keepSchedules } from "./timetable.js";

/** An attempt that a test has run. */
export interface DueRun {
  readonly name: string;
  readonly input: unknown;
  /** The job's return value. */
  readonly result: unknown;
  /** The error; null if the job is done. */
  readonly error: unknown;
}

/** Dependencies of running due jobs. */
export interface DueParts extends Omit<AttemptParts, "db"> {
  readonly db: Database;
  readonly schedules: readonly Schedule[];
}

/** The maximum number of attempts in one call: a job that adds itself again would never end. */
const mostRuns = 1_000;

/** Seconds; no other process runs jobs during a test. */
const leaseSeconds = 86_400;

/**
 * Runs all jobs that are due until `until`, one after another, as if that time had come. This includes jobs added by
 * these jobs, retries and each time of a schedule.
 */
export async function runDueJobs(
  parts: DueParts,
  { until }: { readonly until?: Date } = {},
): Promise<readonly DueRun[]> {
  const { db, kinds, schedules } = parts;
  const runs: DueRun[] = [];
  await keepSchedules(db, schedules);

  async function runUntil(now: Date | null): Promise<void> {
    for (;;) {
      const [job] = await claimJobs(db, { kinds, most: 1, leaseSeconds, done: [], now });
      if (job === undefined) return;
      if (runs.length === mostRuns) {
        throw new Error(`jobs.run: ${mostRuns} jobs have run, and more are due`);
      }
      runs.push(await runOne(job, now));
    }
  }

  async function runOne(job: ClaimedJob, now: Date | null): Promise<DueRun> {
    // Time advances with the jobs, but never falls behind the present.
    const time = now === null || job.dueAt.getTime() > now.getTime() ? now : await laterOf(job);
    const outcome = await attemptJob(parts, job, { cut: new AbortController(), now: time });
    const input: unknown = JSON.parse(job.input);
    if (outcome.kind !== "done") {
      const error = outcome.kind === "failed" ? (outcome.error ?? new Error("undefined")) : null;
      return { name: job.name, input, result: undefined, error };
    }
    if (!outcome.ran.isEnded) await deleteDone(db, [job]);
    return { name: job.name, input: outcome.ran.input, result: outcome.ran.value, error: null };
  }

  async function laterOf({ dueAt }: ClaimedJob): Promise<Date> {
    const present = await timeOf(db);
    return dueAt.getTime() > present.getTime() ? dueAt : present;
  }

  for (;;) {
    const next = until === undefined ? null : await earliestTime(db, schedules);
    if (until === undefined || next === null || next.getTime() > until.getTime()) {
      await addDueJobs(db, { schedules, kinds, now: until ?? null });
      await runUntil(until ?? null);
      return runs;
    }
    // Jobs that are due before a schedule's time run before its job.
    await runUntil(new Date(next.getTime() - 1));
    await addDueJobs(db, { schedules, kinds, now: next });
  }
}
