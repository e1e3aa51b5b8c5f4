import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/index.js";
import type { Services } from "../../own-code/index.js";
import { StartRefused } from "../start/start.js";
import { forkWorker, sendOrder } from "./handover.js";
import { type Life, lifeOf } from "./life.js";

/** The serving processes, as their primary sees them. */
export interface Workers {
  /** Resolves when all of them listen. Refuses the start when one ends before that. */
  readonly listening: Promise<void>;
  /** Resolves when all have ended as asked. Rejects when one cannot be replaced. */
  readonly ended: Promise<void>;
  /**
   * Replaces each by one with that configuration; those from then on have it too. Throws, and the others stay, where one
   * does not start.
   */
  renew(config: Config): Promise<void>;
  /** Tells them that the server is to stop soon. */
  drain(): void;
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

interface Started {
  readonly worker: Worker;
  readonly life: Promise<Life>;
  /** Whether it listens; false where it ends before. */
  readonly listens: Promise<boolean>;
}

/** The place of one worker. */
interface Slot {
  current: Started;
  /** Puts another worker in its place. */
  replace: (started: Started) => void;
}

/**
 * Starts `server.workers` processes and replaces each one that dies. `onStart` is called with each new
 * worker.
 */
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

  function start(from: Config, isChecking = false): Started {
    const worker = forkWorker(from, { isChecking });
    alive.add(worker);
    onStart(worker);
    const { promise: listening, resolve: onListening } = promised();
    const life = lifeOf(worker, () => {
      if (isDraining) sendOrder(worker, "drain");
      onListening();
    });
    lives.add(life);
    void life.then(() => {
      alive.delete(worker);
      lives.delete(life);
    });
    const listens = Promise.race([listening.then(() => true), life.then(() => false)]);
    return { worker, life, listens };
  }

  async function keepRunning(slot: Slot): Promise<void> {
    let hasListened = false;
    let endsInRow = 0;
    let failedStarts = 0;
    while (!ending.signal.aborted) {
      const renewed = new Promise<Started>((resolve) => {
        slot.replace = resolve;
      });
      const { worker, life } = slot.current;
      const end = await Promise.race([life, renewed]);
      if ("worker" in end) {
        slot.current = end;
        endsInRow = 0;
        continue;
      }
      if (ending.signal.aborted) return;
      const { reason } = end;
      hasListened ||= end.listened;
      if (!hasListened) {
        throw new StartRefused({
          message: `A server process ended before it listened: ${reason}`,
          hint: null,
        });
      }
      failedStarts = end.listened ? 0 : failedStarts + 1;
      if (failedStarts === maxFailedStarts) {
        throw new StartRefused({
          message: `${failedStarts} server processes in a row ended before they listened: ${reason}`,
          hint: null,
        });
      }
      endsInRow = end.ms < stable ? endsInRow + 1 : 1;
      const wait = pause(endsInRow);
      log.warn({ process: worker.process.pid, reason, wait }, "A server process is replaced");
      // Only the end of the whole server cuts the pause short.
      await sleep(wait, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) slot.current = start(config);
    }
  }

  const runs = Array.from({ length: config.server.workers }, () => {
    const slot: Slot = { current: start(config), replace: () => {} };
    slots.push(slot);
    return keepRunning(slot);
  });
  const firstListens = slots.map(({ current }, at) =>
    // Where it ends before, the run says why; one that is told to end never listens.
    current.listens.then((listens) => (listens ? undefined : runs[at]?.then(() => never))),
  );

  async function renew(next: Config): Promise<void> {
    for (const slot of slots) {
      if (ending.signal.aborted) return;
      const started = start(next, true);
      if (!(await started.listens)) throw new Error((await started.life).reason);
      config = next;
      const { worker } = slot.current;
      slot.replace(started);
      sendOrder(worker, "retire");
    }
  }

  return {
    listening: Promise.all(firstListens).then(() => {}),
    ended: Promise.all(runs).then(() => {}),
    renew,
    drain() {
      isDraining = true;
      for (const worker of alive) sendOrder(worker, "drain");
    },
    async stop() {
      ending.abort();
      // This one skips the delay, which has passed.
      for (const { process } of alive) process.kill("SIGINT");
      await Promise.allSettled([...lives, ...runs]);
    },
    kill() {
      for (const { process } of alive) process.kill("SIGKILL");
    },
  };
}

const never = new Promise<void>(() => {});

function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
