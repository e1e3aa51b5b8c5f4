import { newSleeper } from "./sleeper.js";

/** A loop that looks for stored work. */
export interface Polling {
  start(): void;
  /** Polls soon. */
  wake(): void;
  /** Resolves after so many milliseconds, or when woken. */
  sleep(ms: number): Promise<void>;
  /** Does something with the database that is done again later where it fails; never rejects. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** Polls no more; resolves when the present poll is over. */
  stop(): Promise<void>;
}

export interface PollingParts {
  /** Claims what is due, and does what else is to be done with the database. */
  readonly poll: () => Promise<void>;
  /** Milliseconds until the next poll. */
  readonly pauseMs: (isDatabaseDown: boolean) => number;
  /** Called once per outage: every failed request logs it as well. */
  readonly onOutage: (error: unknown) => void;
}

/** Makes one: processes poll rather than listen, so that a proxy may pool their connections. */
export function newPolling({ poll, pauseMs, onOutage }: PollingParts): Polling {
  const sleeper = newSleeper();
  let isStopping = false;
  let isDatabaseDown = false;
  let running: Promise<void> = Promise.resolve();

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      isDatabaseDown = false;
    } catch (error) {
      if (!isDatabaseDown) onOutage(error);
      isDatabaseDown = true;
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      await attempt(poll);
      if (!isStopping) await sleeper.sleep(pauseMs(isDatabaseDown));
    }
  }

  return {
    start: () => {
      running = run();
    },
    wake: sleeper.wake,
    sleep: sleeper.sleep,
    attempt,
    stop: () => {
      isStopping = true;
      sleeper.wake();
      return running;
    },
  };
}
