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
  ListQuery,
  NewValues,
  Page,
  ResourceClient,
  ShownQuery,
} from "./resources.js";
export type { AccountWhere, InverseWhere, RecordWhere } from "./where.js";

// Former names, deprecated: they go with 0.6.

export type {
  IncludeQuery as IncludeQuestion,
  ListQuery as ListQuestion,
  ShownQuery as ShownQuestion,
} from "./resources.js";

// Internal: for generated code alone; every release may change it.

export type { CheckedHooks } from "./hooks.js";
export type { OwnResources } from "./resources.js";
