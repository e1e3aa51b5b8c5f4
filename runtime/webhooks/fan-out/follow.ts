import type { LogFollower } from "../../changes/index.js";
import { newPolling, reasonOf } from "../../jobs/index.js";
import { type FanOutParts, fanOut } from "./fan-out.js";
import { hasListeners } from "./listeners.js";

/** Stores deliveries as the log grows. */
export interface Following {
  start(): void;
  /** Reports that a webhook was added or changed. */
  wake(): void;
  close(): Promise<void>;
}

export interface FollowingParts extends FanOutParts {
  readonly follower: LogFollower;
  /** Called when deliveries were stored. */
  readonly onStored: () => void;
}

/** Milliseconds between looks whether there are webhooks, and whether one can go on that had too much waiting. */
const lookMs = 2_000;

/** Follows the log only while there are webhooks. */
export function followForWebhooks({ follower, onStored, ...parts }: FollowingParts): Following {
  const { db, log } = parts.services;
  let unlisten: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let isAsked = false;
  const polling = newPolling({
    poll,
    pauseMs: () => lookMs,
    onOutage: (error) =>
      log.warn({ reason: reasonOf(error) }, "Webhooks cannot be told of changes"),
  });

  async function poll(): Promise<void> {
    if (await hasListeners(db)) {
      unlisten ??= follower.listen(storeAll);
      await storeAll();
      return;
    }
    unlisten?.();
    unlisten = null;
  }

  /** One at a time in this process; the database sees to it that there is one over all. */
  function storeAll(): Promise<void> {
    isAsked = true;
    running ??= store().finally(() => {
      running = null;
    });
    return running;
  }

  async function store(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      while ((await fanOut(parts)) === "stored") onStored();
    }
  }

  return {
    start: polling.start,
    wake: polling.wake,
    close: async () => {
      unlisten?.();
      await polling.stop();
      await running?.catch(() => {});
    },
  };
}
