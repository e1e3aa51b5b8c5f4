export { type BodyIssue, mostIssues, type ParameterIssue } from "./issues.js";
export {
  Refusal,
  type RefusalDetails,
  refuse,
} from "./refusal.js";
export { type RefusalCode, refusals } from "./refusals.js";
