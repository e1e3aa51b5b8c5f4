import { QueueTimeout } from "../statement/sqlstate.js";
import { waitForTurn } from "./turn.js";

/** Limits how much is done at once for each of several names. */
export interface Lanes {
  /**
   * Does the work on a slot of that name's lane, once one is free; it may keep the slot for any length of time.
   *
   * @throws {QueueTimeout} when no slot becomes free in time.
   */
  run<T>(name: string, work: () => Promise<T>, options?: LaneOptions): Promise<T>;
  /**
   * Does what `run` does, for work that may also be tried on a slot that no other lane needs: when it is
   * blocked there, it must soon fail with an error for which `isStuck` is true, and is queued for its own lane.
   */
  runAnywhere<T>(name: string, work: (slot: Slot) => Promise<T>, kind?: Kind): Promise<T>;
}

export interface LaneOptions {
  /** A read unless it says otherwise. */
  readonly kind?: Kind;
  /** As usual where it is left out. */
  readonly patience?: Patience | undefined;
}

/** How long work waits for a slot that waits longer than usual. */
export interface Patience {
  /** By the clock of `performance.now()`. */
  readonly until: number;
  /** Where as many wait for a slot of that name already, it fails at once. */
  readonly most: number;
}

/** Reads keep some slots of each lane for themselves. */
export type Kind = "read" | "write";

/** `own` is one of the lane's own, `lent` is one beyond them. */
export type Slot = "own" | "lent";

export interface LanesOptions {
  /** How many slots are reserved for each lane. */
  readonly width: number;
  /** How many of them writes may take at once; all by default. */
  readonly writes?: number;
  /** How many slots may be taken in all lanes together before none is lent any more. */
  readonly totalSlots: number;
  /** Milliseconds after which queued work fails. */
  readonly waitMs: number;
  /** Whether work on a lent slot failed because it was blocked. */
  isStuck(error: unknown): boolean;
}

/** Milliseconds for which a lane is lent nothing after work on a lent slot was stuck. */
const pauseMs = 1_000;

export function newLanes({
  width,
  writes = width,
  totalSlots,
  waitMs,
  isStuck,
}: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let taken = 0;

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? {
      ...{ free: width, writing: 0, noLoansUntil: 0 },
      waiting: new Set<Waiter>(),
    };
    lanes.set(name, lane);
    return lane;
  }

  function canLend({ noLoansUntil }: Lane): boolean {
    return taken < totalSlots && performance.now() >= noLoansUntil;
  }

  /** Null where all slots are taken. */
  function tryTake(lane: Lane, { kind, mayBorrow }: Wish): Slot | null {
    const isOwn = lane.free > 0 && (kind === "read" || lane.writing < writes);
    if (!isOwn && !(mayBorrow && canLend(lane))) return null;
    taken += 1;
    if (!isOwn) return "lent";
    lane.free -= 1;
    if (kind === "write") lane.writing += 1;
    return "own";
  }

  function release(lane: Lane, slot: Slot, kind: Kind): void {
    taken -= 1;
    if (slot === "own") {
      lane.free += 1;
      if (kind === "write") lane.writing -= 1;
    }
    for (const waiter of lane.waiting) {
      const next = tryTake(lane, waiter);
      if (next === null) continue;
      lane.waiting.delete(waiter);
      waiter.begin(next);
      return;
    }
  }

  /** Milliseconds for which it may wait. */
  function patienceOf({ waiting }: Lane, { patience }: Wish): number {
    if (patience === undefined) return waitMs;
    if (waiting.size >= patience.most) throw new QueueTimeout();
    return Math.max(0, patience.until - performance.now());
  }

  async function inSlot<T>(lane: Lane, wish: Wish, work: (slot: Slot) => Promise<T>): Promise<T> {
    const slot =
      tryTake(lane, wish) ??
      (await waitForTurn(lane.waiting, patienceOf(lane, wish), (begin: Waiter["begin"]) => ({
        ...wish,
        begin,
      })));
    try {
      return await work(slot);
    } catch (error) {
      if (slot === "own" || !isStuck(error)) throw error;
      lane.noLoansUntil = performance.now() + pauseMs;
    } finally {
      release(lane, slot, wish.kind);
    }
    return inSlot(lane, { ...wish, mayBorrow: false }, work);
  }

  return {
    run: (name, work, { kind = "read", patience } = {}) =>
      inSlot(laneOf(name), { kind, mayBorrow: false, patience }, work),
    runAnywhere: (name, work, kind = "read") =>
      inSlot(laneOf(name), { kind, mayBorrow: true }, work),
  };
}

/** Which slots work may take. */
interface Wish {
  readonly kind: Kind;
  readonly mayBorrow: boolean;
  readonly patience?: Patience | undefined;
}

interface Lane {
  free: number;
  /** How many of its own slots writes have. */
  writing: number;
  /** By the clock of `performance.now()`. */
  noLoansUntil: number;
  /** In the order of their arrival. */
  readonly waiting: Set<Waiter>;
}

interface Waiter extends Wish {
  begin(slot: Slot): void;
}
