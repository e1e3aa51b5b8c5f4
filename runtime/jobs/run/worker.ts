import type { Database } from "../../db/index.js";
import { reasonOf } from "../../errors/index.js";
import { newPolling } from "../../polling/index.js";
import type { ClaimedJob, Schedule } from "../job/definition.js";
import { claimJobs } from "../store/claim.js";
import { deleteDone, giveBack } from "../store/end.js";
import { storeNames } from "../store/names.js";
import { type AttemptParts, attemptJob, type EndedTry, Stopped } from "./attempt.js";
import { newHourCounter } from "./hours.js";
import { newLeaseKeeper } from "./leases.js";
import { addDueJobs, keepSchedules } from "./timetable.js";
import { newUpkeep } from "./upkeep.js";

/** Runs stored jobs, including those stored by other processes. */
export interface Worker {
  start(): void;
  /** Notifies the worker that a job was stored, so that it claims the job soon. */
  wake(): void;
  /** Stops claiming jobs, waits up to `ms` milliseconds for running ones, and releases the rest. */
  close(ms: number): Promise<void>;
}

/** Dependencies of a worker. */
export interface WorkerOptions extends Omit<AttemptParts, "db"> {
  readonly db: Database;
  readonly schedules: readonly Schedule[];
  /** The maximum number of jobs that this process runs concurrently. */
  readonly concurrency: number;
  readonly times?: WorkerTimes;
}

/** The intervals of a worker; tests use shorter ones. */
export interface WorkerTimes {
  /** Seconds after which other processes take over the jobs of a process that died. */
  readonly leaseSeconds: number;
  /** Milliseconds between renewals of the leases, and between checks for jobs of processes that died. */
  readonly upkeepMs: number;
  /** Milliseconds between polls of the database. */
  readonly pollMs: number;
}

/** Jobs of a process that died are taken over within 30 seconds: lease, check and poll together take less. */
export const usualTimes: WorkerTimes = { leaseSeconds: 20, upkeepMs: 5_000, pollMs: 800 };

/** Milliseconds that aborted app code has to react. */
const noticeMs = 500;

/**
 * Claims jobs in small batches and runs them. With any number of processes, exactly one claims each job; another takes
 * it over if that one dies.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the jobs under way
export function openWorker(options: WorkerOptions): Worker {
  const { db, kinds, schedules, concurrency, log, times = usualTimes } = options;
  const { leaseSeconds, upkeepMs, pollMs } = times;
  const hours = newHourCounter();
  const onEnded = (ended: EndedTry) => {
    hours.note(ended.result);
    options.onEnded(ended);
  };
  const running = new Map<
    ClaimedJob,
    { readonly cut: AbortController; readonly end: Promise<void> }
  >();
  /** Completed jobs to delete. If the database is down, they are deleted later. */
  const done = new Set<ClaimedJob>();
  const stopped = new Set<ClaimedJob>();
  const leases = newLeaseKeeper(db, { leaseSeconds, everyMs: upkeepMs }, () => [
    ...running.keys(),
    ...done,
  ]);
  const keepUp = newUpkeep({ db, schedules, log, onEnded, hours, leases, upkeepMs });
  const polling = newPolling({
    poll,
    pauseMs: () => pollMs,
    onOutage: (error) => log.warn({ reason: reasonOf(error) }, "Jobs cannot be read"),
  });
  let isPrepared = false;
  let lastTick = Number.NEGATIVE_INFINITY;

  async function poll(): Promise<void> {
    if (!isPrepared) await prepare();
    await keepUp();
    if (schedules.length > 0 && performance.now() - lastTick > pollMs / 2) {
      await addDueJobs(db, { schedules, kinds, now: null });
      lastTick = performance.now();
    }
    await claim();
  }

  async function prepare(): Promise<void> {
    await storeNames(db, [...kinds.keys()]);
    await keepSchedules(db, schedules);
    isPrepared = true;
  }

  async function deleteAllDone(): Promise<void> {
    if (done.size === 0) return;
    const jobs = [...done];
    await deleteDone(db, jobs);
    for (const job of jobs) done.delete(job);
  }

  /** Claims jobs, and deletes completed ones in the same statement. */
  async function claim(): Promise<void> {
    const most = concurrency - running.size;
    const ended = [...done];
    const claimed = await claimJobs(db, { kinds, most, leaseSeconds, done: ended, now: null });
    for (const job of ended) done.delete(job);
    for (const job of claimed) {
      const cut = new AbortController();
      const end = attempt(job, cut).finally(() => {
        running.delete(job);
        polling.wake();
      });
      running.set(job, { cut, end });
    }
  }

  async function attempt(job: ClaimedJob, cut: AbortController): Promise<void> {
    const outcome = await attemptJob({ ...options, onEnded }, job, { cut });
    if (outcome.kind === "stopped") stopped.add(job);
    if (outcome.kind === "done" && !outcome.ran.isEnded) done.add(job);
  }

  async function close(ms: number): Promise<void> {
    const until = performance.now() + ms;
    await polling.stop();
    await letFinish(until);
    for (const { cut } of running.values()) cut.abort(new Stopped("The server stops"));
    await letFinish(performance.now() + noticeMs);
    // Jobs that have not reacted are released too; their outcome is discarded.
    for (const job of running.keys()) stopped.add(job);
    await polling.attempt(async () => {
      await deleteAllDone();
      if (stopped.size > 0) await giveBack(db, [...stopped]);
      await hours.store(db);
    });
    leases.stop();
  }

  async function letFinish(until: number): Promise<void> {
    while (running.size > 0 && performance.now() < until) {
      const ends = [...running.values()].map(({ end }) => end);
      await Promise.race([...ends, polling.sleep(Math.min(upkeepMs, until - performance.now()))]);
      await polling.attempt(async () => {
        await deleteAllDone();
        await keepUp();
      });
    }
  }

  return {
    start: () => {
      if (concurrency === 0) return;
      leases.start();
      polling.start();
    },
    wake: polling.wake,
    close,
  };
}
