export { openWebhooks, type Webhooks } from "./open.js";
export type { TryResult } from "./send/attempt.js";
