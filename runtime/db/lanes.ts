/** Bounds how much is done at once for each of several names. */
export interface Lanes {
  /**
   * Does the work in its turn; at most so many of one name hold a place for as long as they like.
   *
   * @throws {NoTurn} when its turn does not come in time.
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * The same, for work that may also be tried on a place that nobody else wants: it has to give that up
   * soon when it cannot go on, with an error for which `isStuck` is true, and then waits for its turn.
   */
  runAnywhere<T>(name: string, work: (turn: Turn) => Promise<T>): Promise<T>;
}

/** `own` is one of the lane's own, `lent` one beyond them. */
export type Turn = "own" | "lent";

/** Too much was waiting; the same may succeed in a moment. */
export class NoTurn extends Error {
  constructor() {
    super("Too many wait for the database already");
  }
}

export interface LanesOptions {
  /** Turns that are a lane's own. */
  readonly width: number;
  /** How many turns all lanes have together before none is lent any more. */
  readonly places: number;
  /** Milliseconds after which who waits is sent away. */
  readonly waitMs: number;
  /** Whether work on a lent turn failed because it could not go on. */
  isStuck(error: unknown): boolean;
}

/** Milliseconds for which a lane is lent nothing after work on a lent turn was stuck. */
const cautionMs = 1_000;

export function newLanes({ width, places, waitMs, isStuck }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let taken = 0;

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? { free: width, cautiousUntil: 0, waiting: new Set() };
    lanes.set(name, lane);
    return lane;
  }

  function mayLend({ cautiousUntil }: Lane, limit: number): boolean {
    return taken <= limit && performance.now() >= cautiousUntil;
  }

  /** Null where all turns are taken. */
  function takeAtOnce(lane: Lane, isLendable: boolean): Turn | null {
    const isOwn = lane.free > 0;
    if (!isOwn && !(isLendable && mayLend(lane, places - 1))) return null;
    if (isOwn) lane.free -= 1;
    taken += 1;
    return isOwn ? "own" : "lent";
  }

  function giveBack(lane: Lane, turn: Turn): void {
    if (turn === "own" || mayLend(lane, places)) {
      for (const waiter of lane.waiting) {
        if (turn === "lent" && !waiter.isLendable) continue;
        lane.waiting.delete(waiter);
        waiter.begin(turn);
        return;
      }
    }
    taken -= 1;
    if (turn === "own") lane.free += 1;
  }

  function turnOf(lane: Lane, isLendable: boolean): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        lane.waiting.delete(waiter);
        reject(new NoTurn());
      }, waitMs);
      const begin = (turn: Turn) => {
        clearTimeout(late);
        resolve(turn);
      };
      const waiter = { isLendable, begin };
      lane.waiting.add(waiter);
    });
  }

  async function inTurn<T>(
    lane: Lane,
    isLendable: boolean,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    const turn = takeAtOnce(lane, isLendable) ?? (await turnOf(lane, isLendable));
    try {
      return await work(turn);
    } catch (error) {
      if (turn === "own" || !isStuck(error)) throw error;
      lane.cautiousUntil = performance.now() + cautionMs;
    } finally {
      giveBack(lane, turn);
    }
    return inTurn(lane, false, work);
  }

  return {
    run: (name, work) => inTurn(laneOf(name), false, work),
    runAnywhere: (name, work) => inTurn(laneOf(name), true, work),
  };
}

interface Lane {
  free: number;
  /** By the clock of `performance.now()`. */
  cautiousUntil: number;
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly isLendable: boolean;
  begin(turn: Turn): void;
}
