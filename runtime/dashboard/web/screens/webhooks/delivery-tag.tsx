import type { Delivery } from "../../api/webhooks/queries.js";
import { Tag } from "../../parts/page/page.js";
import { enWebhooks } from "../../text/en/operators/webhooks.js";

const text = enWebhooks;

export function DeliveryTag({ delivery: { state } }: { readonly delivery: Delivery }) {
  if (state === "failed") return <Tag look="bad">{text.states.failed}</Tag>;
  if (state === "succeeded") return <Tag look="good">{text.states.succeeded}</Tag>;
  return <Tag>{text.states.waiting}</Tag>;
}
