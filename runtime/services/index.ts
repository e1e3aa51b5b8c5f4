export type { AppDatabase } from "./app-database.js";
export type { Caller } from "./caller.js";
export type { CheckedHooks, HookContext, HookName, Hooks, ResourceHooks } from "./hooks.js";
export { type Log, newLog } from "./log.js";
export type { Policies, ResourcePolicies } from "./policies.js";
export type {
  CursorPage,
  IncludeQuestion,
  ListQuestion,
  NewValues,
  OwnResources,
  Page,
  ResourceClient,
  ShownQuestion,
} from "./resources.js";
export { inScope, type Scope, scopeFor } from "./scope.js";
export type { Actor, AfterHook, Budget, OwnCode, Services, Unit } from "./services.js";
export type { AccountWhere, InverseWhere, RecordWhere } from "./where.js";
