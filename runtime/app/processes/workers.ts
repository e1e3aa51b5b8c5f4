import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../../own-code/index.js";
import { StartRefused } from "../start/start.js";
import { forkWorker, onNews } from "./handover.js";

/** The serving processes, as their primary sees them. */
export interface Workers {
  /** Resolves when all of them listen. Refuses the start when one ends before that. */
  readonly listening: Promise<void>;
  /** Resolves when all have ended as asked. Rejects when one cannot be replaced. */
  readonly ended: Promise<void>;
  /** Lets running requests finish; resolves when all workers have ended. */
  stop(): Promise<void>;
  /** Ends them at once. */
  kill(): void;
}

/** How many replacements in a row may end before they listen. */
const maxFailedStarts = 5;

/** Milliseconds after which an end counts as a separate incident, not as one more in a row. */
const stable = 60_000;

/** Milliseconds between an end and the next start: 0 at first, then doubling from half a second. */
function pause(endsInRow: number): number {
  return endsInRow < 2 ? 0 : Math.min(500 * 2 ** (endsInRow - 2), 30_000);
}

/**
 * Starts `server.workers` processes and replaces each one that dies. `onStart` is called with each new
 * worker.
 */
export function startWorkers(
  { config, log }: Pick<Services, "config" | "log">,
  onStart: (worker: Worker) => void,
): Workers {
  const { workers: size } = config.server;
  const alive = new Set<Worker>();
  const ending = new AbortController();

  async function keepRunning(onListening: () => void): Promise<void> {
    let hasListened = false;
    let endsInRow = 0;
    let failedStarts = 0;
    while (!ending.signal.aborted) {
      const worker = forkWorker(config);
      alive.add(worker);
      onStart(worker);
      const life = await lifeOf(worker, onListening);
      alive.delete(worker);
      if (ending.signal.aborted) return;
      const { reason } = life;
      hasListened ||= life.listened;
      if (!hasListened) {
        throw new StartRefused({
          message: `A server process ended before it listened: ${reason}`,
          hint: null,
        });
      }
      failedStarts = life.listened ? 0 : failedStarts + 1;
      if (failedStarts === maxFailedStarts) {
        throw new StartRefused({
          message: `${failedStarts} server processes in a row ended before they listened: ${reason}`,
          hint: null,
        });
      }
      endsInRow = life.ms < stable ? endsInRow + 1 : 1;
      const wait = pause(endsInRow);
      log.warn({ process: worker.process.pid, reason, wait }, "A server process is replaced");
      // Only the end of the whole server cuts the pause short.
      await sleep(wait, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  const runs: Promise<void>[] = [];
  const firstListens = Array.from(
    { length: size },
    () =>
      new Promise<void>((resolve, reject) => {
        const run = keepRunning(resolve);
        run.catch(reject);
        runs.push(run);
      }),
  );

  return {
    listening: Promise.all(firstListens).then(() => {}),
    ended: Promise.all(runs).then(() => {}),
    async stop() {
      ending.abort();
      for (const { process } of alive) process.kill("SIGTERM");
      await Promise.allSettled(runs);
    },
    kill() {
      for (const { process } of alive) process.kill("SIGKILL");
    },
  };
}

interface Life {
  readonly listened: boolean;
  readonly ms: number;
  /** The signal or the exit status. */
  readonly reason: string;
}

function lifeOf(worker: Worker, onListening: () => void): Promise<Life> {
  const start = performance.now();
  let listened = false;
  onNews(worker, (news) => {
    if (news !== "ready") return;
    listened = true;
    onListening();
  });
  return new Promise((resolve) => {
    const end = (reason: string) => resolve({ listened, ms: performance.now() - start, reason });
    worker.once("exit", (status, signal) => end(signal ?? `exit status ${status}`));
    worker.on("error", ({ message }) => {
      // The machine cannot start another process; other errors are followed by the exit.
      if (worker.process.pid === undefined) end(message);
    });
  });
}
