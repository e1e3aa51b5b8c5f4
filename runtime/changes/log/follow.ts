import type { Queryable } from "../../db/index.js";
import { type LogState, readState } from "./read.js";
import { sequenceSome } from "./sequence.js";

export interface LogFollower {
  /** Calls the listener once at first, and whenever the log has new changes, until the returned function is called. */
  listen(listener: LogListener): () => void;
  /** Must be called after a write of this process, so that it is numbered immediately. */
  wake(): void;
  /** Stops, and resolves once no work is in progress. */
  close(): Promise<void>;
}

/** Called with the current state of the log. Further calls, to any listener, wait until this one has resolved. */
export type LogListener = (state: LogState) => Promise<void> | void;

export interface FollowOptions {
  readonly db: Queryable;
  /** Called on an error of the database, or if it is unreachable; the follower retries. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two polls. */
  readonly everyMs?: number;
}

/** Milliseconds between polls; on average, a change from another process waits half as long. */
const usualMs = 100;

/** Minimum number of milliseconds between two polls. */
const leastMs = 10;

/** Milliseconds until the next poll after a failed one. */
const retryMs = 500;

/** Numbers changes and notifies listeners. Sends no statements while there are no listeners. */
export function followLog({ db, onError, everyMs = usualMs }: FollowOptions): LogFollower {
  const listeners = new Map<LogListener, string>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let nextAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  async function poll(): Promise<void> {
    const { more } = await sequenceSome(db);
    if (more) isWoken = true;
    const state = await readState(db);
    const place = `${state.log} ${state.n}`;
    const due = [...listeners].filter(([, seen]) => seen !== place);
    await Promise.all(
      due.map(async ([listener]) => {
        await listener(state);
        // Only after success: a failed listener is called again.
        if (listeners.has(listener)) listeners.set(listener, place);
      }),
    );
  }

  function run(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isWoken = false;
    const begunAt = performance.now();
    const end = (pauseMs: number) => {
      running = null;
      const endedAt = performance.now();
      // Leaves time for the process's other work; frequent writes are numbered together.
      nextAt = Math.max(begunAt + leastMs, endedAt + Math.min(endedAt - begunAt, everyMs));
      schedule(pauseMs);
    };
    running = poll().then(
      () => end(isWoken ? 0 : everyMs),
      (error: unknown) => {
        onError(error);
        end(retryMs);
      },
    );
  }

  function schedule(ms: number): void {
    if (isClosed || running !== null || listeners.size === 0) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(run, Math.max(ms, nextAt - performance.now()));
    timer.unref();
  }

  return {
    listen(listener) {
      listeners.set(listener, "");
      schedule(0);
      return () => void listeners.delete(listener);
    },
    wake() {
      isWoken = true;
      schedule(0);
    },
    async close() {
      isClosed = true;
      listeners.clear();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}
