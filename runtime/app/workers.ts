import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../services/index.js";
import { forkWorker, onNews } from "./handover.js";
import { StartRefused } from "./start.js";

/** The processes that serve, as their primary sees them. */
export interface Workers {
  /** Resolves when all of them listen. Refuses the start when one ends before that. */
  readonly listening: Promise<void>;
  /** Resolves when all have ended as asked. Rejects when one cannot be replaced. */
  readonly ended: Promise<void>;
  /** Lets requests under way finish; resolves when all have ended. */
  stop(): Promise<void>;
  /** Ends them at once. */
  kill(): void;
}

/** How often in a row a replacement may end before it listens. */
const maxFailedStarts = 5;

/** Milliseconds after which an end is a mishap of its own, not one more of a row. */
const stable = 60_000;

/** Milliseconds between an end and the next start: none at first, then doubled from half a second. */
function pause(endsInRow: number): number {
  return endsInRow < 2 ? 0 : Math.min(500 * 2 ** (endsInRow - 2), 30_000);
}

/**
 * Starts `server.workers` processes and puts another in the place of each that dies. `onStart` is told
 * of each.
 */
export function startWorkers(
  { config, log }: Pick<Services, "config" | "log">,
  onStart: (worker: Worker) => void,
): Workers {
  const { workers: size } = config.server;
  const alive = new Set<Worker>();
  const ending = new AbortController();

  async function keepPlace(onListening: () => void): Promise<void> {
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
      // Only the end of the whole cuts the pause short.
      await sleep(wait, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  const places: Promise<void>[] = [];
  const firstListens = Array.from(
    { length: size },
    () =>
      new Promise<void>((resolve, reject) => {
        const place = keepPlace(resolve);
        place.catch(reject);
        places.push(place);
      }),
  );

  return {
    listening: Promise.all(firstListens).then(() => {}),
    ended: Promise.all(places).then(() => {}),
    async stop() {
      ending.abort();
      for (const { process } of alive) process.kill("SIGTERM");
      await Promise.allSettled(places);
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
  onNews(worker, (said) => {
    if (said !== "ready") return;
    listened = true;
    onListening();
  });
  return new Promise((resolve) => {
    const end = (reason: string) => resolve({ listened, ms: performance.now() - start, reason });
    worker.once("exit", (status, signal) => end(signal ?? `exit status ${status}`));
    worker.on("error", ({ message }) => {
      // The machine has no room for another process; other errors are followed by the exit.
      if (worker.process.pid === undefined) end(message);
    });
  });
}
