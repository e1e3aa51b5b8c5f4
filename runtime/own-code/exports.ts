// What `service-runtime/own-code` exports for app code.

export type { AppDatabase, TransactionOptions } from "./app-database.js";
export type { Caller } from "./caller.js";
export type { Addition, Changes, ChangesOf, ListChange, NewValues } from "./changes.js";
export type { HookContext, ResourceHooks } from "./hooks.js";
export type {
  AppJobs,
  InputOf,
  Job,
  JobContext,
  JobInput,
  JobInputs,
  JobOptions,
  OutputOf,
  ScheduleEntry,
} from "./jobs/jobs.js";
export type { AppFiles, AppMail, FileContent, FileTarget, ReadFile } from "./kit.js";
export type { Log } from "./log.js";
export type { GuardedRequest, ResourcePolicies } from "./policies.js";
export type {
  CursorPage,
  GetQuery,
  IncludeQuery,
  IncludeQuestion,
  ListQuery,
  ListQuestion,
  Page,
  ResourceClient,
  ShownQuery,
  ShownQuestion,
} from "./resources.js";
export type { Tool, ToolContext, ToolInput } from "./tools.js";
export type { AccountWhere, InverseWhere, LinksWhere, RecordWhere } from "./where.js";

// Internal: for generated code only; any release may change it.

export type { CheckedHooks } from "./hooks.js";
export type { Jobs, Schedules } from "./jobs/jobs.js";
export type { HooksOf, PoliciesOf, ResourcesOf, TypesOf } from "./resources.js";
export type { Tools } from "./tools.js";
export type { FilesWhere, JsonCondition, JsonValue } from "./where.js";
