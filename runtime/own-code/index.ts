export type { AppDatabase } from "./app-database.js";
export type { Caller } from "./caller.js";
export type { HookContext, HookName, Hooks, ResourceHooks } from "./hooks.js";
export type { AppFiles, AppMail, FileContent, FileTarget, ReadFile } from "./kit.js";
export { type Log, newLog } from "./log.js";
export type { Policies, ResourcePolicies } from "./policies.js";
export type { ListQuery, Page, ResourceClient, ShownQuery } from "./resources.js";
export { inScope, scopeFor } from "./scope.js";
export type { Actor, AfterHook, OwnCode, Services, Unit } from "./services.js";
