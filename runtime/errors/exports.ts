// What `service-runtime/errors` exports for app code.

export { failJob, GiveUp, giveUp, JobFailed } from "./fail-job.js";
export type { BodyIssue, Issue, ParameterIssue } from "./issues.js";
export { Refusal, refusal } from "./refusal.js";
