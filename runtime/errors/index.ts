export { JobFailed } from "./fail-job.js";
export { underFormerName } from "./former-name.js";
export { type BodyIssue, maxIssues, type ParameterIssue } from "./issues.js";
export { Refusal, type RefusalDetails, refuse } from "./refusal.js";
export { type RefusalCode, refusals } from "./refusals.js";
export { problemLines, type StartProblem, StartRefused } from "./start-refused.js";
export { errorOf, reasonOf } from "./thrown.js";
