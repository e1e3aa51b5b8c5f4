export {
  type BodyIssue,
  type ParameterIssue,
  Refusal,
  type RefusalDetails,
  refuse,
} from "./refusal.js";
export { type RefusalCode, refusals } from "./refusals.js";
