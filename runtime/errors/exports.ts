// What `service/runtime/errors` exports for your own code.

export { GiveUp, giveUp } from "./give-up.js";
export type { BodyIssue, Issue, ParameterIssue } from "./issues.js";
export { Refusal, refusal } from "./refusal.js";
