import type { LogFollower } from "../changes/index.js";
import type { HandledRoute } from "../http/index.js";
import type { Services } from "../own-code/index.js";
import type { ResourceDefinition } from "../resource/index.js";
import { readRange } from "../values/addresses/ip-range.js";
import { followForWebhooks } from "./fan-out/follow.js";
import { webhookRoutes } from "./routes/webhooks.js";
import type { TryResult } from "./send/attempt.js";
import { openSender } from "./send/sender.js";

/** The webhooks of an app in one process. */
export interface Webhooks {
  routes(operators: readonly string[]): readonly HandledRoute[];
  start(): void;
  /**
   * Starts no more attempts, waits at most `ms` milliseconds for the running ones, and releases the other deliveries.
   */
  close(ms: number): Promise<void>;
}

export interface WebhooksOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** Follows the change log. Must be closed after the webhooks. */
  readonly follower: LogFollower;
  /** Called with the outcome of each attempt. */
  readonly onEnded: (result: TryResult) => void;
}

/** Opens the webhooks of an app with logged changes. */
export function openWebhooks(
  services: Services,
  { definitions, follower, onEnded }: WebhooksOptions,
): Webhooks {
  const logged = definitions.filter(({ table }) => table.changes !== undefined);
  const { config } = services;
  const byName = new Map(logged.map((one) => [one.table.resource, one]));
  const allowed = config.webhooks.allow.map((one) => readRange(one)).filter((one) => one !== null);
  const sender = openSender({ ...services, allowed, onEnded });
  const following = followForWebhooks({
    services,
    definitions: byName,
    follower,
    onStored: sender.wake,
  });
  let isStarted = false;

  function wake(): void {
    sender.wake();
    following.wake();
  }

  return {
    routes: (operators) =>
      webhookRoutes(operators, { resources: new Set(byName.keys()), allowed, wake }),
    start: () => {
      isStarted = true;
      sender.start();
      following.start();
    },
    close: async (ms) => {
      if (!isStarted) return;
      await following.close();
      await sender.close(ms);
    },
  };
}
