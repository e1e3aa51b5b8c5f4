import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/index.js";
import { StartRefused } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { forkWorker, sendOrder } from "./handover.js";
import { follow, type Life } from "./life.js";
import { promised } from "./promised.js";

/** The serving processes, as seen by their primary. */
export interface Workers {
  /** Resolves when all of them listen. Rejects if one exits before that. */
  readonly listening: Promise<void>;
  /** Resolves when all have exited on request. Rejects if one cannot be replaced. */
  readonly ended: Promise<void>;
  /** The configuration of workers that start from now on. */
  config(): Config;
  /**
   * Replaces each worker with one that has the configuration, which also applies to later ones. Rejects if a new worker
   * does not start; the remaining old ones then keep running.
   */
  renew(config: Config): Promise<void>;
  /** Announces that the server will stop soon. */
  drain(): void;
  /** Lets running requests finish; resolves when all workers have exited. */
  stop(): Promise<void>;
  kill(): void;
}

/** Maximum number of consecutive replacements that exit before they listen. */
const maxFailedStarts = 5;

/** Milliseconds that a worker must run for its exit not to count as consecutive. */
const stable = 60_000;

/** Returns the milliseconds between an exit and the next start: 0 at first, then half a second, doubling each time. */
function pause(endsInRow: number): number {
  return endsInRow < 2 ? 0 : Math.min(500 * 2 ** (endsInRow - 2), 30_000);
}

interface Started {
  readonly worker: Worker;
  readonly ended: Promise<Life>;
  readonly over: Promise<Life>;
  /** Resolves with true when it listens, with false if it exits first. */
  readonly listens: Promise<boolean>;
}

interface Slot {
  current: Started;
  /** Called when another worker has replaced the current one. */
  onReplaced: () => void;
}

/**
 * Starts `server.workers` processes and replaces each one that exits unexpectedly. `onStart` is called with each new
 * worker.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the state of all workers
export function startWorkers(
  given: Pick<Services, "config" | "log">,
  onStart: (worker: Worker) => void,
): Workers {
  const { log } = given;
  let { config } = given;
  const alive = new Set<Worker>();
  const lives = new Set<Promise<Life>>();
  const slots: Slot[] = [];
  const ending = new AbortController();
  let isDraining = false;

  function start(from: Config, { isChecking = false } = {}): Started {
    const worker = forkWorker(from, { isChecking });
    alive.add(worker);
    onStart(worker);
    const { promise: listening, resolve: onListening } = promised();
    const { ended, over } = follow(worker, () => {
      if (isDraining) sendOrder(worker, "drain");
      onListening();
    });
    lives.add(ended);
    void ended.then(() => {
      alive.delete(worker);
      lives.delete(ended);
    });
    const listens = Promise.race([listening.then(() => true), ended.then(() => false)]);
    return { worker, ended, over, listens };
  }

  async function keepRunning(slot: Slot): Promise<void> {
    let hasListened = false;
    let endsInRow = 0;
    let failedStarts = 0;
    while (!ending.signal.aborted) {
      const replaced = new Promise<null>((resolve) => {
        slot.onReplaced = () => resolve(null);
      });
      const { current } = slot;
      const end = await Promise.race([current.over, replaced]);
      if (ending.signal.aborted) return;
      if (end !== null && slot.current === current) {
        hasListened ||= end.listened;
        failedStarts = end.listened ? 0 : failedStarts + 1;
        endsInRow = end.ms < stable ? endsInRow + 1 : 1;
        refuseFailedStarts(end, { hasListened, failedStarts });
        const wait = pause(endsInRow);
        const { pid } = current.worker.process;
        log.warn({ process: pid, reason: end.reason, wait }, "A server process is replaced");
        // A shutdown ends the pause early, and so does a worker with another configuration.
        await Promise.race([replaced, pauseFor(wait)]);
      }
      if (slot.current !== current) {
        endsInRow = 0;
        failedStarts = 0;
      } else if (!ending.signal.aborted) slot.current = start(config);
    }
  }

  async function pauseFor(wait: number): Promise<void> {
    await sleep(wait, undefined, { signal: ending.signal }).catch(() => {});
  }

  const runs = Array.from({ length: config.server.workers }, () => {
    const slot: Slot = { current: start(config), onReplaced: () => {} };
    slots.push(slot);
    return keepRunning(slot);
  });
  const firstListens = slots.map(({ current }, at) =>
    // If it exits first, its run reports why; a worker that was asked to stop never listens.
    current.listens.then((listens) => (listens ? undefined : runs[at]?.then(() => never))),
  );

  async function renew(next: Config): Promise<void> {
    for (const slot of slots) {
      if (ending.signal.aborted) return;
      const started = start(next, { isChecking: true });
      if (!(await started.listens)) throw new Error((await started.ended).reason);
      config = next;
      const { worker, listens } = slot.current;
      slot.current = started;
      slot.onReplaced();
      // A replacement for a worker that crashed in the meantime accepts no orders before it listens.
      void listens.then(() => sendOrder(worker, "retire"));
    }
  }

  return {
    listening: Promise.all(firstListens).then(() => {}),
    ended: Promise.all(runs).then(() => {}),
    config: () => config,
    renew,
    drain() {
      isDraining = true;
      for (const worker of alive) sendOrder(worker, "drain");
    },
    async stop() {
      ending.abort();
      // SIGINT skips the delay for load balancers, which has already passed.
      for (const { process } of alive) process.kill("SIGINT");
      await Promise.allSettled([...lives, ...runs]);
    },
    kill() {
      for (const { process } of alive) process.kill("SIGKILL");
    },
  };
}

/** Rejects if processes repeatedly exit before they listen, or if the first one does. */
function refuseFailedStarts(
  { reason }: Life,
  { hasListened, failedStarts }: { readonly hasListened: boolean; readonly failedStarts: number },
): void {
  if (hasListened && failedStarts < maxFailedStarts) return;
  const who = hasListened
    ? `${failedStarts} server processes in a row ended`
    : "A server process ended";
  throw new StartRefused({
    message: `${who} before ${hasListened ? "they" : "it"} listened: ${reason}`,
    hint: null,
  });
}

const never = new Promise<void>(() => {});
