import { QueueTimeout } from "../statement/sqlstate.js";
import { waitForTurn } from "./turn.js";

/**
 * Limits concurrent work by name, so that a locked table leaves connections to other tables. This costs nothing: 32
 * clients write and read as fast without it.
 */
export interface Lanes {
  /**
   * Runs the work on a slot of that name's lane, once one is free; it may keep the slot for any length of time.
   *
   * @throws {QueueTimeout} if no slot becomes free in time.
   */
  run<T>(name: string, work: () => Promise<T>, options?: LaneOptions): Promise<T>;
}

export interface LaneOptions {
  /** A read by default. */
  readonly kind?: Kind;
  /** How long the work may wait; by default `waitMs`. */
  readonly patience?: Patience | undefined;
}

/** The limits of work that waits longer than usual for a slot. */
export interface Patience {
  /** By the clock of `performance.now()`. */
  readonly until: number;
  /**
   * Maximum number of callers that wait for a slot of this name; for searches, of any name. Further callers fail
   * immediately.
   */
  readonly most: number;
}

/** Some slots of each lane are reserved for reads. Few searches run at once, in all lanes together. */
export type Kind = "read" | "write" | "search";

export interface LanesOptions {
  /** The number of slots per lane. */
  readonly width: number;
  /** Maximum number of slots that writes may occupy at once; all by default. */
  readonly writes?: number;
  /** Maximum number of concurrent searches across all lanes; unlimited by default. */
  readonly searches?: number;
  /** Milliseconds after which queued work fails. */
  readonly waitMs: number;
}

interface Lane {
  free: number;
  /** The number of slots taken by writes. */
  writing: number;
  /** In order of arrival; searches wait elsewhere. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly lane: Lane;
  readonly kind: Kind;
  /** Ascends in order of arrival. */
  readonly number: number;
  begin(turn: undefined): void;
}

export function newLanes(options: LanesOptions): Lanes {
  const { width, writes = width, searches = Number.POSITIVE_INFINITY, waitMs } = options;
  const lanes = new Map<string, Lane>();
  let searching = 0;
  /** In order of arrival. A search that waits for searches of other lanes holds no slot. */
  const waitingSearches = new Set<Waiter>();
  let arrived = 0;

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? { free: width, writing: 0, waiting: new Set<Waiter>() };
    lanes.set(name, lane);
    return lane;
  }

  function isFree(lane: Lane, kind: Kind): boolean {
    if (lane.free === 0 || (kind === "write" && lane.writing === writes)) return false;
    return kind !== "search" || searching < searches;
  }

  function take(lane: Lane, kind: Kind): void {
    lane.free -= 1;
    if (kind === "write") lane.writing += 1;
    if (kind === "search") searching += 1;
  }

  function release(lane: Lane, kind: Kind): void {
    lane.free += 1;
    if (kind === "write") lane.writing -= 1;
    if (kind === "search") searching -= 1;
    for (let next = nextOf(lane); next !== null; next = nextOf(lane)) {
      queueOf(next.lane, next.kind).delete(next);
      take(next.lane, next.kind);
      next.begin(undefined);
    }
  }

  /** Returns the earliest waiter that may start now that a slot of the lane is free; null if there is none. */
  function nextOf(lane: Lane): Waiter | null {
    const own = firstOf(lane.waiting);
    const search = searching < searches ? firstOf(waitingSearches) : null;
    if (own === null || search === null) return own ?? search;
    return own.number < search.number ? own : search;
  }

  function firstOf(waiting: ReadonlySet<Waiter>): Waiter | null {
    for (const waiter of waiting) if (isFree(waiter.lane, waiter.kind)) return waiter;
    return null;
  }

  function queueOf({ waiting }: Lane, kind: Kind): Set<Waiter> {
    return kind === "search" ? waitingSearches : waiting;
  }

  return {
    async run(name, work, { kind = "read", patience } = {}) {
      const lane = laneOf(name);
      if (isFree(lane, kind)) take(lane, kind);
      else {
        const queue = queueOf(lane, kind);
        arrived += 1;
        const place = { lane, kind, number: arrived };
        await waitForTurn(queue, waitOf(queue, patience) ?? waitMs, (begin: Waiter["begin"]) => {
          return { ...place, begin };
        });
      }
      try {
        return await work();
      } finally {
        release(lane, kind);
      }
    },
  };
}

/** Returns how long work with a `Patience` may wait, in milliseconds; undefined for other work. */
function waitOf(waiting: ReadonlySet<Waiter>, patience: Patience | undefined): number | undefined {
  if (patience === undefined) return undefined;
  if (waiting.size >= patience.most) throw new QueueTimeout();
  return Math.max(0, patience.until - performance.now());
}
