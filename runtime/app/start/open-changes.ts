import type { StreamOptions, Streams } from "../../changes/index.js";
import type { Database } from "../../db/index.js";
import type { HandledRoute } from "../../http/index.js";
import type { Webhooks, WebhooksOptions } from "../../webhooks/index.js";

type Options = StreamOptions & Pick<WebhooksOptions, "onEnded">;

/** What follows the log of changes; null where no descriptor asks for it. */
export interface Followers {
  readonly streams: Streams | null;
  readonly webhooks: Webhooks | null;
  /** The routes of what the log holds. */
  readonly history: readonly HandledRoute[];
}

/** The streams of changes and the webhooks, which follow the same log, and the routes of what it holds. */
export async function openChanges(options: Options): Promise<Followers> {
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

/** Returns how to read the present position of the log of changes. */
export async function positionIn(
  db: Database,
  descriptors: readonly object[],
): Promise<() => Promise<string>> {
  const { positionReader } = await import("../../changes/index.js");
  return positionReader(db, descriptors);
}
