// What `service/runtime/own-code` exports for your own code.

export type { AppDatabase } from "./app-database.js";
export type { Caller } from "./caller.js";
export type { HookContext, ResourceHooks } from "./hooks.js";
export type { AppFiles, AppMail, FileContent, FileTarget, ReadFile } from "./kit.js";
export type { Log } from "./log.js";
export type { ResourcePolicies } from "./policies.js";
export type {
  CursorPage,
  IncludeQuery,
  IncludeQuestion,
  ListQuery,
  ListQuestion,
  NewValues,
  Page,
  ResourceClient,
  ShownQuery,
  ShownQuestion,
} from "./resources.js";
export type { AccountWhere, InverseWhere, RecordWhere } from "./where.js";

// Internal: for generated code alone; every release may change it.

export type { CheckedHooks } from "./hooks.js";
export type { OwnResources } from "./resources.js";
