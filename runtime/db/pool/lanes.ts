import { waitForTurn } from "./turn.js";

/** Limits how much is done at once for each of several names. */
export interface Lanes {
  /**
   * Does the work on a slot of that name's lane, once one is free; it may keep the slot for any length of time.
   *
   * @throws {QueueTimeout} when no slot becomes free in time.
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Does what `run` does, for work that may also be tried on a slot that no other lane needs: when it is
   * blocked there, it must soon fail with an error for which `isStuck` is true, and is queued for its own lane.
   */
  runAnywhere<T>(name: string, work: (slot: Slot) => Promise<T>): Promise<T>;
}

/** `own` is one of the lane's own, `lent` is one beyond them. */
export type Slot = "own" | "lent";

export interface LanesOptions {
  /** How many slots are reserved for each lane. */
  readonly width: number;
  /** How many slots may be taken in all lanes together before none is lent any more. */
  readonly totalSlots: number;
  /** Milliseconds after which queued work fails. */
  readonly waitMs: number;
  /** Whether work on a lent slot failed because it was blocked. */
  isStuck(error: unknown): boolean;
}

/** Milliseconds for which a lane is lent nothing after work on a lent slot was stuck. */
const pauseMs = 1_000;

export function newLanes({ width, totalSlots, waitMs, isStuck }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let taken = 0;

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? { free: width, noLoansUntil: 0, waiting: new Set() };
    lanes.set(name, lane);
    return lane;
  }

  function canLend({ noLoansUntil }: Lane, limit: number): boolean {
    return taken <= limit && performance.now() >= noLoansUntil;
  }

  /** Null where all slots are taken. */
  function tryTake(lane: Lane, mayBorrow: boolean): Slot | null {
    const isOwn = lane.free > 0;
    if (!isOwn && !(mayBorrow && canLend(lane, totalSlots - 1))) return null;
    if (isOwn) lane.free -= 1;
    taken += 1;
    return isOwn ? "own" : "lent";
  }

  function release(lane: Lane, slot: Slot): void {
    if (slot === "own" || canLend(lane, totalSlots)) {
      for (const waiter of lane.waiting) {
        if (slot === "lent" && !waiter.mayBorrow) continue;
        lane.waiting.delete(waiter);
        waiter.begin(slot);
        return;
      }
    }
    taken -= 1;
    if (slot === "own") lane.free += 1;
  }

  async function inSlot<T>(
    lane: Lane,
    mayBorrow: boolean,
    work: (slot: Slot) => Promise<T>,
  ): Promise<T> {
    const slot =
      tryTake(lane, mayBorrow) ??
      (await waitForTurn(lane.waiting, waitMs, (begin: Waiter["begin"]) => ({ mayBorrow, begin })));
    try {
      return await work(slot);
    } catch (error) {
      if (slot === "own" || !isStuck(error)) throw error;
      lane.noLoansUntil = performance.now() + pauseMs;
    } finally {
      release(lane, slot);
    }
    return inSlot(lane, false, work);
  }

  return {
    run: (name, work) => inSlot(laneOf(name), false, work),
    runAnywhere: (name, work) => inSlot(laneOf(name), true, work),
  };
}

interface Lane {
  free: number;
  /** By the clock of `performance.now()`. */
  noLoansUntil: number;
  /** In the order of their arrival. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly mayBorrow: boolean;
  begin(slot: Slot): void;
}
