export { openWebhooks, type Webhooks, type WebhooksOptions } from "./open.js";
export type { TryResult } from "./send/attempt.js";
