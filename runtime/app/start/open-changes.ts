import type { StreamOptions, Streams } from "../../changes/index.js";
import type { Database } from "../../db/index.js";
import type { HandledRoute } from "../../http/index.js";
import type { Webhooks, WebhooksOptions } from "../../webhooks/index.js";

type Options = StreamOptions & Pick<WebhooksOptions, "onEnded">;

/** The services that read the change log; null if no descriptor needs them. */
export interface Followers {
  readonly streams: Streams | null;
  readonly webhooks: Webhooks | null;
  /** The routes that read the log. */
  readonly history: readonly HandledRoute[];
}

/** Whether the app logs changes of any resource. */
export function logsChanges(definitions: Options["definitions"]): boolean {
  return definitions.some(({ table }) => table.changes !== undefined);
}

/** Opens the change streams and webhooks, both of which read the change log, and the routes that read it. */
export async function openChanges(options: Options): Promise<Followers> {
  const { services, definitions, onEnded } = options;
  // Most apps log no changes, and do not load these modules.
  if (!logsChanges(definitions)) return { streams: null, webhooks: null, history: [] };
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

/** Returns a function that reads the current position of the change log. */
export async function positionIn(
  db: Database,
  descriptors: readonly object[],
): Promise<() => Promise<string>> {
  const { positionReader } = await import("../../changes/index.js");
  return positionReader(db, descriptors);
}
