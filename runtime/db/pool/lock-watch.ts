import type { Queryable } from "../statement/database.js";

/** Measures how long statements of transactions wait for locks, which PostgreSQL reports to other sessions only. */
export interface LockWatch {
  /** Runs the work, one statement; calls `onWait` with the milliseconds it has waited since the last call. */
  during<T>(pid: number, onWait: (ms: number) => void, work: () => Promise<T>): Promise<T>;
}

/** Milliseconds before the first check whether a statement waits, and between two checks. */
const pauseMs = 150;

/** The sessions that wait for a lock on a row or a table. */
const waitingText =
  "select pid from pg_stat_activity where pid = any($1::integer[]) and wait_event_type = 'Lock'";

interface Watched {
  readonly pid: number;
  readonly onWait: (ms: number) => void;
  /** The time up to which the statement's activity is known, by the clock of `performance.now()`. */
  since: number;
  isWaiting: boolean;
}

/** Checks all running statements with one query; runs none while no statement is slow. */
export function newLockWatch(
  query: (
    text: string,
    values: readonly unknown[],
  ) => Promise<{ readonly rows: readonly { readonly pid: number }[] }>,
): LockWatch {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  function lookLater(): void {
    if (watched.size === 0) return;
    timer ??= setTimeout(() => {
      void look().finally(() => {
        timer = undefined;
        lookLater();
      });
    }, pauseMs);
  }

  async function look(): Promise<void> {
    const now = performance.now();
    const long = [...watched].filter(({ since, isWaiting }) => isWaiting || now - since >= pauseMs);
    if (long.length === 0) return;
    try {
      const { rows } = await query(waitingText, [long.map(({ pid }) => pid)]);
      const waiting = new Set(rows.map(({ pid }) => pid));
      for (const one of long)
        if (watched.has(one)) note(one, { isWaiting: waiting.has(one.pid), now });
    } catch {
      // If the check fails, the time counts as work.
    }
  }

  return {
    async during(pid, onWait, work) {
      const one: Watched = { pid, onWait, since: performance.now(), isWaiting: false };
      watched.add(one);
      lookLater();
      try {
        return await work();
      } finally {
        watched.delete(one);
        note(one, { isWaiting: one.isWaiting, now: performance.now() });
        if (watched.size === 0) {
          clearTimeout(timer);
          timer = undefined;
        }
      }
    },
  };
}

/** Sends one statement after another: a connection runs one at a time, and each is timed from when it is sent. */
export function inTurn(run: Queryable["query"]): Queryable["query"] {
  let last: Promise<unknown> = Promise.resolve();
  return <Row>(text: string, values?: readonly unknown[]) => {
    const next = last.then(() => run<Row>(text, values));
    last = next.catch(() => {});
    return next;
  };
}

interface Activity {
  readonly isWaiting: boolean;
  /** By the clock of `performance.now()`. */
  readonly now: number;
}

function note(one: Watched, { isWaiting, now }: Activity): void {
  if (isWaiting || one.isWaiting) one.onWait(now - one.since);
  one.isWaiting = isWaiting;
  one.since = now;
}
