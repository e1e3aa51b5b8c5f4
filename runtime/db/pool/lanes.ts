import { QueueTimeout } from "../statement/sqlstate.js";
import { waitForTurn } from "./turn.js";

/**
 * Limits concurrent work by name, so that a locked table leaves connections to the others. It costs nothing: 32 clients
 * write and read as fast without.
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
  /** The usual patience by default. */
  readonly patience?: Patience | undefined;
}

/** The limits of work that waits longer than usual for a slot. */
export interface Patience {
  /** By the clock of `performance.now()`. */
  readonly until: number;
  /** Fails immediately if that number already waits for a slot of that name. */
  readonly most: number;
}

/** Reads keep some slots of each lane for themselves. */
export type Kind = "read" | "write";

export interface LanesOptions {
  /** The number of slots per lane. */
  readonly width: number;
  /** The number of slots that writes may take at once; all by default. */
  readonly writes?: number;
  /** Milliseconds after which queued work fails. */
  readonly waitMs: number;
}

interface Lane {
  free: number;
  /** The number of slots taken by writes. */
  writing: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly kind: Kind;
  begin(turn: undefined): void;
}

export function newLanes({ width, writes = width, waitMs }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? { free: width, writing: 0, waiting: new Set<Waiter>() };
    lanes.set(name, lane);
    return lane;
  }

  /** False if no slot is free. */
  function tryTake(lane: Lane, kind: Kind): boolean {
    if (lane.free === 0 || (kind === "write" && lane.writing === writes)) return false;
    lane.free -= 1;
    if (kind === "write") lane.writing += 1;
    return true;
  }

  function release(lane: Lane, kind: Kind): void {
    lane.free += 1;
    if (kind === "write") lane.writing -= 1;
    for (const waiter of lane.waiting) {
      if (!tryTake(lane, waiter.kind)) continue;
      lane.waiting.delete(waiter);
      waiter.begin(undefined);
      return;
    }
  }

  /** Milliseconds for which the work may wait. */
  function patienceOf({ waiting }: Lane, patience: Patience | undefined): number {
    if (patience === undefined) return waitMs;
    if (waiting.size >= patience.most) throw new QueueTimeout();
    return Math.max(0, patience.until - performance.now());
  }

  return {
    async run(name, work, { kind = "read", patience } = {}) {
      const lane = laneOf(name);
      if (!tryTake(lane, kind)) {
        await waitForTurn(lane.waiting, patienceOf(lane, patience), (begin: Waiter["begin"]) => {
          return { kind, begin };
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
