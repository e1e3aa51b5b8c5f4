export type { AppDatabase, TransactionOptions } from "./app-database.js";
export { type Caller, isVisitorRole, visitor } from "./caller.js";
export type { HookContext, HookName, Hooks, ResourceHooks } from "./hooks.js";
export type {
  AppJobs,
  Job,
  JobContext,
  JobInput,
  JobInputs,
  JobOptions,
  ScheduleEntry,
} from "./jobs/jobs.js";
export type { AppFiles, AppMail, FileContent, FileTarget, ReadFile } from "./kit.js";
export { type Log, newLog, newRequestLog } from "./log.js";
export type { GuardedRequest, Guards, Policies, ResourcePolicies } from "./policies.js";
export type {
  GetQuery,
  IncludeQuery,
  ListQuery,
  Page,
  ResourceClient,
  ShownQuery,
} from "./resources.js";
export { currentScope, inScope, scopeFor } from "./scope.js";
export {
  type Actor,
  type AfterHook,
  type AppCode,
  type Budget,
  type JobDesk,
  type Known,
  partsFor,
  type Reads,
  type ServerServices,
  type Services,
  servicesFor,
  type Unit,
  type Version,
} from "./services.js";
export type { InputIssue, Tool, ToolContext, ToolInput, Tools } from "./tools.js";
