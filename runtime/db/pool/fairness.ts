import { waitForTurn } from "./turn.js";

/**
 * Keeps one client's slow statements on a resource from using up the CPUs and connections of others. The number of a
 * client's concurrent statements grows with each quick one, and falls with a slow one. Measured while one client runs
 * 32 slow lists: the slowest hundredth of others' single reads takes 15 to 25 ms instead of 50 to 1,600. A list by a
 * link takes 5 ms instead of half a second.
 */
export interface Fairness {
  /**
   * Runs `work` for a client once it may start; a client of null is never queued. `until` is the deadline for starting,
   * by the clock of `performance.now()`; by default, `waitMs` applies.
   *
   * @throws {QueueTimeout} if it cannot start in time.
   */
  run<T>(client: string | null, work: () => Promise<T>, until?: number): Promise<T>;
}

export interface FairnessOptions {
  /** Maximum number of a client's concurrent statements while they are slow. */
  readonly width: number;
  /** Maximum number of a client's concurrent statements. */
  readonly most: number;
  /** Milliseconds after which queued work fails. */
  readonly waitMs: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Milliseconds from which a statement is slow. */
const slowMs = 20;

/** Milliseconds after a slow statement in which others count as slow too. */
const pauseMs = 1_000;

/** A running statement; `began` is by the clock of `now`. */
interface Running {
  readonly began: number;
}

interface Client {
  /** In the order in which they began. */
  readonly running: Set<Running>;
  /** In order of arrival. */
  readonly waiting: Set<(begun: Running) => void>;
  /** Maximum number of concurrent statements while none is slow. */
  atOnce: number;
  slowUntil: number;
}

export function newFairness({
  width,
  most,
  waitMs,
  now = () => performance.now(),
}: FairnessOptions): Fairness {
  const clients = new Map<string, Client>();

  function clientOf(name: string): Client {
    const known = clients.get(name);
    if (known !== undefined) return known;
    const client: Client = {
      running: new Set(),
      waiting: new Set(),
      atOnce: width,
      slowUntil: 0,
    };
    clients.set(name, client);
    return client;
  }

  function mayBegin({ running, atOnce, slowUntil }: Client): boolean {
    if (running.size < width) return true;
    const time = now();
    const [oldest = { began: time }] = running;
    return running.size < atOnce && time >= slowUntil && time - oldest.began < slowMs;
  }

  function begin({ running }: Client): Running {
    const begun = { began: now() };
    running.add(begun);
    return begun;
  }

  function end(client: Client, begun: Running): void {
    const { running, waiting } = client;
    running.delete(begun);
    const time = now();
    if (time - begun.began >= slowMs) {
      client.atOnce = width;
      client.slowUntil = time + pauseMs;
    } else if (waiting.size > 0) client.atOnce = Math.min(most, client.atOnce + 1);
    for (const start of waiting) {
      if (!mayBegin(client)) return;
      waiting.delete(start);
      start(begin(client));
    }
  }

  return {
    async run(name, work, until) {
      if (name === null) return work();
      const client = clientOf(name);
      const isFree = client.waiting.size === 0 && mayBegin(client);
      const begun = isFree
        ? begin(client)
        : await waitForTurn(
            client.waiting,
            until === undefined ? waitMs : Math.max(0, until - performance.now()),
            (start: (begun: Running) => void) => start,
          );
      try {
        return await work();
      } finally {
        end(client, begun);
        if (client.running.size + client.waiting.size === 0) clients.delete(name);
      }
    },
  };
}
