import type { Queryable } from "../../db/index.js";
import { type LogState, readState } from "./read.js";
import { sequenceSome } from "./sequence.js";

/** Tells of new changes, as long as somebody listens. */
export interface LogFollower {
  /** Calls the listener once the log has more changes, and once at first; it stops when the returned function is called. */
  listen(listener: LogListener): () => void;
  /** To be called after a write of this process: it is numbered at once. */
  wake(): void;
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

/** Gets where the log is now. The next call waits for its end. */
export type LogListener = (state: LogState) => Promise<void> | void;

export interface FollowOptions {
  readonly db: Queryable;
  /** Called where the database refuses or cannot be reached; the next try follows. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two looks. */
  readonly everyMs?: number;
}

/** Half of it is what a change of another process waits on average. */
const usualMs = 100;

/** Milliseconds between two looks at least. */
const leastMs = 10;

/** Numbers changes and tells listeners of them, without asking the database anything while there are none. */
export function followLog({ db, onError, everyMs = usualMs }: FollowOptions): LogFollower {
  const listeners = new Map<LogListener, string>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  async function look(): Promise<void> {
    const { more } = await sequenceSome(db);
    if (more) isWoken = true;
    const state = await readState(db);
    const place = `${state.log} ${state.n}`;
    const due = [...listeners].filter(([, seen]) => seen !== place);
    await Promise.all(
      due.map(async ([listener]) => {
        if (listeners.has(listener)) listeners.set(listener, place);
        await listener(state);
      }),
    );
  }

  function run(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isWoken = false;
    lookedAt = performance.now();
    running = look()
      .catch(onError)
      .finally(() => {
        running = null;
        schedule(isWoken ? 0 : everyMs);
      });
  }

  function schedule(ms: number): void {
    if (isClosed || running !== null || listeners.size === 0) return;
    if (timer !== null) clearTimeout(timer);
    // Many writes are looked at together.
    const least = lookedAt + leastMs - performance.now();
    timer = setTimeout(run, Math.max(ms, least));
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
