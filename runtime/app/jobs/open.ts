import { type DueRun, type EndedTry, openWorker, runDueJobs } from "../../jobs/index.js";
import type { Services } from "../../own-code/index.js";
import type { JobsOfApp } from "./read.js";
import { jobRunner } from "./run.js";

/** The jobs of an app in one process. */
export interface RunningJobs {
  /** Begins to run jobs, so many at a time. */
  start(concurrency: number): void;
  /** Reports that a job was stored. */
  wake(): void;
  /** Begins no more, lets those that run go on for so many milliseconds, and gives the rest back. */
  close(ms: number): Promise<void>;
  /** For tests: runs what is due. */
  runDue(options?: { readonly until?: Date }): Promise<readonly DueRun[]>;
}

/** Makes them; null for an app without jobs. `onEnded` is called with each try that has ended. */
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
