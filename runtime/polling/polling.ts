import { newSleeper } from "./sleeper.js";

/** A loop that polls for stored work. */
export interface Polling {
  start(): void;
  /** Makes the loop poll soon. */
  wake(): void;
  /** Resolves after `ms` milliseconds, or when woken. */
  sleep(ms: number): Promise<void>;
  /** Runs work on the database that will be repeated later if it fails. Never rejects. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** Stops polling; resolves when the current poll has ended. */
  stop(): Promise<void>;
}

export interface PollingParts {
  /** Claims due work, and does other recurring work on the database. */
  readonly poll: () => Promise<void>;
  /** Milliseconds until the next poll. */
  readonly pauseMs: (isDatabaseDown: boolean) => number;
  /** Called once per outage: every failed request logs it as well. */
  readonly onOutage: (error: unknown) => void;
}

/** Creates a loop. Processes poll instead of using `LISTEN`, so that their connections can go through a pooler. */
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
