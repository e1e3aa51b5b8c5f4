import { waitForTurn } from "./turn.js";

/**
 * Keeps one client's slow statements on a resource from the processors and connections that others wait for. How many
 * statements of a client run at once grows with each that is quick, and falls when one is slow. Beside 32 slow lists of one
 * client the slowest hundredth of others' single reads takes 15 to 25 ms, without it 50 to 1,600; a list by a link half a second
 * instead of 5 ms.
 */
export interface Fairness {
  /**
   * Does the work of that client when its turn comes; null is queued for nobody else, and begins at once.
   *
   * @throws {QueueTimeout} when its turn does not come in time.
   */
  run<T>(client: string | null, work: () => Promise<T>): Promise<T>;
}

export interface FairnessOptions {
  /** How many statements of a client run at once while they are slow. */
  readonly width: number;
  /** How many do at most. */
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

/** One that runs; `began` is by that clock. */
interface Running {
  readonly began: number;
}

interface Client {
  /** In the order in which they began. */
  readonly running: Set<Running>;
  /** In the order of their arrival. */
  readonly waiting: Set<(begun: Running) => void>;
  /** How many may run at once where none is slow. */
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
    async run(name, work) {
      if (name === null) return work();
      const client = clientOf(name);
      const isFree = client.waiting.size === 0 && mayBegin(client);
      const begun = isFree
        ? begin(client)
        : await waitForTurn(client.waiting, waitMs, (start: (begun: Running) => void) => start);
      try {
        return await work();
      } finally {
        end(client, begun);
        if (client.running.size + client.waiting.size === 0) clients.delete(name);
      }
    },
  };
}
