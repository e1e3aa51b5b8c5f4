import type { Database } from "../../db/index.js";
import type { ClaimedJob, Schedule } from "../job/definition.js";
import { claimJobs, renewLeases } from "../store/claim.js";
import { deleteDone, deleteOldFailed, giveBack, takeLost } from "../store/end.js";
import { storeNames } from "../store/names.js";
import { type AttemptParts, attemptJob, Stopped } from "./attempt.js";
import { reasonOf } from "./log.js";
import { newSleeper } from "./sleeper.js";
import { addDueJobs, keepSchedules } from "./timetable.js";

/** Runs the stored jobs, including those that other processes stored. */
export interface Worker {
  start(): void;
  /** Reports that a job was stored, so that it is claimed soon. */
  wake(): void;
  /** Begins no more jobs, lets those that run go on for so long, and gives the rest back. */
  close(ms: number): Promise<void>;
}

/** What a worker depends on. */
export interface WorkerOptions extends Omit<AttemptParts, "db"> {
  readonly db: Database;
  readonly schedules: readonly Schedule[];
  /** Jobs that this process runs at a time. */
  readonly together: number;
  readonly times?: WorkerTimes;
}

/** How long a worker waits; tests use shorter times. */
export interface WorkerTimes {
  /** Seconds after which other processes take over the jobs of one that has died. */
  readonly leaseSeconds: number;
  /** Milliseconds between renewals of the lease, and between looks for jobs of dead processes. */
  readonly upkeepMs: number;
  /** Milliseconds between polls of the database. */
  readonly pollMs: number;
}

/** A dead process holds its jobs 30 seconds at most: a lease, a look and a poll take less. */
export const usualTimes: WorkerTimes = { leaseSeconds: 20, upkeepMs: 5_000, pollMs: 800 };

/** Milliseconds between deletions of jobs that failed long ago. */
const tidyMs = 600_000;

/** Milliseconds that code which has been told to stop gets to notice. */
const noticeMs = 500;

/**
 * Claims jobs, a few at a time, and runs them. Several processes may do so at once: each job is claimed by one of
 * them, and by another if that one dies.
 */
export function openWorker(options: WorkerOptions): Worker {
  const { db, kinds, schedules, together, log, onEnded, times = usualTimes } = options;
  const { leaseSeconds, upkeepMs, pollMs } = times;
  const running = new Map<
    ClaimedJob,
    { readonly cut: AbortController; readonly end: Promise<void> }
  >();
  /** Done, and to be deleted. What cannot be deleted now, because the database is down, is deleted later. */
  const done = new Set<ClaimedJob>();
  const stopped = new Set<ClaimedJob>();
  const sleeper = newSleeper();
  let isClosing = false;
  let isPrepared = false;
  let isDatabaseDown = false;
  let lastUpkeep = performance.now();
  let lastTidy = Number.NEGATIVE_INFINITY;
  let lastTick = Number.NEGATIVE_INFINITY;
  let loop: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    while (!isClosing) {
      await pollOrLog(poll);
      if (!isClosing) await sleeper.sleep(pollMs);
    }
  }

  async function pollOrLog(what: () => Promise<void>): Promise<void> {
    try {
      await what();
      isDatabaseDown = false;
    } catch (error) {
      // Logged once per outage: every failed request logs it as well.
      if (!isDatabaseDown) log.warn({ reason: reasonOf(error) }, "Jobs cannot be read");
      isDatabaseDown = true;
    }
  }

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
    await keepSchedules(db, { schedules });
    isPrepared = true;
  }

  async function deleteAllDone(): Promise<void> {
    if (done.size === 0) return;
    const jobs = [...done];
    await deleteDone(db, jobs);
    for (const job of jobs) done.delete(job);
  }

  /** Renews the leases of what runs, and of what is done and not yet deleted; takes over what others have lost. */
  async function keepUp(): Promise<void> {
    if (performance.now() - lastUpkeep < upkeepMs) return;
    lastUpkeep = performance.now();
    const held = [...running.keys(), ...done];
    if (held.length > 0) await renewLeases(db, held, leaseSeconds);
    for (const { id, name, attempt, state } of await takeLost(db, "Its process ended")) {
      log.warn({ name, id, attempt, state }, "The process of a job has ended");
      onEnded({ name, result: "lost", seconds: null });
    }
    if (performance.now() - lastTidy < tidyMs) return;
    lastTidy = performance.now();
    await deleteOldFailed(db);
  }

  /** Deletes what is done in the same statement. */
  async function claim(): Promise<void> {
    const most = together - running.size;
    const ended = [...done];
    const claimed = await claimJobs(db, { kinds, most, leaseSeconds, done: ended, now: null });
    for (const job of ended) done.delete(job);
    for (const job of claimed) {
      const cut = new AbortController();
      const end = attempt(job, cut).finally(() => {
        running.delete(job);
        sleeper.wake();
      });
      running.set(job, { cut, end });
    }
  }

  async function attempt(job: ClaimedJob, cut: AbortController): Promise<void> {
    const outcome = await attemptJob(options, job, { cut });
    if (outcome.kind === "stopped") stopped.add(job);
    if (outcome.kind === "done" && !outcome.ran.isEnded) done.add(job);
  }

  async function close(ms: number): Promise<void> {
    isClosing = true;
    const until = performance.now() + ms;
    sleeper.wake();
    await loop;
    await letFinish(until);
    for (const { cut } of running.values()) cut.abort(new Stopped("The server stops"));
    await letFinish(performance.now() + noticeMs);
    // What has not even noticed is given back too; what it does from now on is not stored as its end.
    for (const job of running.keys()) stopped.add(job);
    await pollOrLog(async () => {
      await deleteAllDone();
      if (stopped.size > 0) await giveBack(db, [...stopped]);
    });
  }

  async function letFinish(until: number): Promise<void> {
    while (running.size > 0 && performance.now() < until) {
      const ends = [...running.values()].map(({ end }) => end);
      await Promise.race([...ends, sleeper.sleep(Math.min(upkeepMs, until - performance.now()))]);
      await pollOrLog(async () => {
        await deleteAllDone();
        await keepUp();
      });
    }
  }

  return {
    start: () => {
      if (together > 0) loop = work();
    },
    wake: sleeper.wake,
    close,
  };
}
