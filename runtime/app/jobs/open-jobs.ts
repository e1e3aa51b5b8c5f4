import { type DueRun, type EndedTry, openWorker, runDueJobs } from "../../jobs/index.js";
import type { Services } from "../../own-code/index.js";
import type { JobsOfApp } from "./read.js";
import { jobRunner } from "./run.js";

/** The jobs of an app in one process. */
export interface RunningJobs {
  /** Starts running jobs, at most `concurrency` at a time. */
  start(concurrency: number): void;
  /** Notifies the worker that a job was stored. */
  wake(): void;
  /** Starts no further jobs, waits up to `ms` milliseconds for running ones, and returns the others to the queue. */
  close(ms: number): Promise<void>;
  /** For tests: runs due jobs. */
  runDue(options?: { readonly until?: Date }): Promise<readonly DueRun[]>;
}

/** Opens the jobs of an app; null if it has none. `onEnded` is called after each attempt. */
export function openJobs(
  services: Services,
  own: JobsOfApp,
  onEnded: (ended: EndedTry) => void = () => {},
): RunningJobs | null {
  const { kinds, schedules } = own;
  if (kinds.size === 0) return null;
  const { db, log } = services;
  const parts = { db, kinds, schedules, log, onEnded, run: jobRunner(services, own) };
  let worker: ReturnType<typeof openWorker> | null = null;
  return {
    start(concurrency) {
      worker = openWorker({ ...parts, concurrency });
      worker.start();
    },
    wake: () => worker?.wake(),
    close: async (ms) => worker?.close(ms),
    runDue: (options) => runDueJobs(parts, options),
  };
}
