export { type Log, newLog } from "./log.js";
export type { Caller, Policies, ResourcePolicies } from "./policies.js";
export type { Services } from "./services.js";
