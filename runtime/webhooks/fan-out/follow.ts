import type { LogFollower } from "../../changes/index.js";
import { reasonOf } from "../../errors/index.js";
import { newPolling } from "../../polling/index.js";
import { type FanOutParts, fanOut } from "./fan-out.js";
import { hasListeners } from "./listeners.js";

/** Stores deliveries for new changes in the log. */
export interface Following {
  start(): void;
  /** Must be called when a webhook is added or changed. */
  wake(): void;
  close(): Promise<void>;
}

export interface FollowingParts extends FanOutParts {
  readonly follower: LogFollower;
  /** Called after deliveries were stored. */
  readonly onStored: () => void;
}

/** Milliseconds between checks for new webhooks, and for webhooks that had too many waiting deliveries. */
const lookMs = 2_000;

/** Stores deliveries in the background. Follows the log only while there are webhooks. */
export function followForWebhooks({ follower, onStored, ...parts }: FollowingParts): Following {
  const { db, log } = parts.services;
  let unlisten: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let isAsked = false;
  const polling = newPolling({
    poll,
    pauseMs: () => lookMs,
    onOutage: (error) =>
      log.warn({ reason: reasonOf(error) }, "Deliveries of webhooks cannot be stored"),
  });

  async function poll(): Promise<void> {
    if (await hasListeners(db)) {
      unlisten ??= follower.listen(onLog);
      await storeAll();
      return;
    }
    unlisten?.();
    unlisten = null;
  }

  /** Not awaited, so that other followers of the log need not wait. The next poll retries a failure and reports it. */
  function onLog(): void {
    storeAll().catch(() => {});
  }

  /** Starts a run unless this process has one; a database lock ensures the same across processes. */
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
