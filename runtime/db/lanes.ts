/** Bounds how much is done at once for each of several names. */
export interface Lanes {
  /**
   * Does the work in its turn.
   *
   * @throws {NoTurn} when its turn does not come in time.
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Too much was waiting; the same may succeed in a moment. */
export class NoTurn extends Error {
  constructor() {
    super("Too many wait for the database already");
  }
}

/** Lanes in each of which so many works are done at once; the others wait, first come, first served. */
export function newLanes({
  width,
  waitMs,
}: {
  readonly width: number;
  readonly waitMs: number;
}): Lanes {
  const lanes = new Map<string, Lane>();
  return {
    async run(name, work) {
      const lane = lanes.get(name) ?? { free: width, waiting: new Set() };
      lanes.set(name, lane);
      if (lane.free > 0) lane.free -= 1;
      else await turnIn(lane, waitMs);
      try {
        return await work();
      } finally {
        passOn(lane);
      }
    },
  };
}

interface Lane {
  free: number;
  /** In the order in which they came; called when its turn has come. */
  readonly waiting: Set<() => void>;
}

function turnIn({ waiting }: Lane, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.delete(begin);
      reject(new NoTurn());
    }, waitMs);
    waiting.add(begin);
  });
}

function passOn(lane: Lane): void {
  const [next] = lane.waiting;
  if (next === undefined) {
    lane.free += 1;
    return;
  }
  lane.waiting.delete(next);
  next();
}
