import { openStreams, type StreamOptions, type Streams } from "../../changes/index.js";
import { openWebhooks, type Webhooks, type WebhooksOptions } from "../../webhooks/index.js";

type Options = StreamOptions & Pick<WebhooksOptions, "onEnded">;

/** The streams of changes and the webhooks, which follow the same log; both null where no descriptor asks for them. */
export function openChanges(
  options: Options,
):
  | { readonly streams: Streams; readonly webhooks: Webhooks }
  | Record<"streams" | "webhooks", null> {
  const { services, definitions, onEnded } = options;
  const hasChanges = definitions.some(({ table }) => table.changes !== undefined);
  if (!hasChanges) return { streams: null, webhooks: null };
  const streams = openStreams(options);
  const { follower } = streams;
  return { streams, webhooks: openWebhooks(services, { definitions, follower, onEnded }) };
}
