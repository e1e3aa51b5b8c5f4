import type { StreamOptions, Streams } from "../../changes/index.js";
import type { HandledRoute } from "../../http/index.js";
import type { Webhooks, WebhooksOptions } from "../../webhooks/index.js";

type Options = StreamOptions & Pick<WebhooksOptions, "onEnded">;

/** What follows the log of changes; both null where no descriptor asks for it. */
type Followers =
  | { readonly streams: Streams; readonly webhooks: Webhooks }
  | Record<"streams" | "webhooks", null>;

/** The streams of changes and the webhooks, which follow the same log, and the routes of what it holds. */
export async function openChanges(
  options: Options,
): Promise<Followers & { readonly history: readonly HandledRoute[] }> {
  const { services, definitions, onEnded } = options;
  const hasChanges = definitions.some(({ table }) => table.changes !== undefined);
  // Most apps log none, and do not load what follows them.
  if (!hasChanges) return { streams: null, webhooks: null, history: [] };
  const { historyRoutes, openStreams } = await import("../../changes/index.js");
  const { openWebhooks } = await import("../../webhooks/index.js");
  const streams = openStreams(options);
  const { follower } = streams;
  return {
    streams,
    webhooks: openWebhooks(services, { definitions, follower, onEnded }),
    history: historyRoutes(definitions),
  };
}
