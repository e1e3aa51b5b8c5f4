import type { Caller } from "./caller.js";
import type { HookContext } from "./hooks.js";
import type { JobInputs } from "./jobs/jobs.js";

/**
 * The app's own rules for one resource, by action, applied after the access rule. A policy that
 * returns anything but true is 403; what takes longer than `server.hook_seconds` is 503. `values` is what a
 * create would store, `changes` what an update would store (all of it on PUT): both are validated and
 * frozen, and conflicts with other records are looked up only afterwards. `record` is a copy of the
 * stored record. Those of writes run in the write's transaction, in which the record stays locked, and
 * again when that is run again.
 */
export interface ResourcePolicies<
  Record,
  Values = unknown,
  Resources = unknown,
  Inputs = JobInputs,
  Anonymous = never,
> {
  list?(caller: CallerOf<"list", Anonymous>): boolean | Promise<boolean>;
  get?(caller: CallerOf<"get", Anonymous>, record: Record): boolean | Promise<boolean>;
  stats?(caller: CallerOf<"stats", Anonymous>): boolean | Promise<boolean>;
  create?(
    caller: CallerOf<"create", Anonymous>,
    values: Readonly<Values>,
    context: HookContext<Resources, Inputs>,
  ): boolean | Promise<boolean>;
  update?(
    caller: Caller,
    record: Record,
    changes: Readonly<Partial<Values>>,
    context: HookContext<Resources, Inputs>,
  ): boolean | Promise<boolean>;
  delete?(
    caller: Caller,
    record: Record,
    context: HookContext<Resources, Inputs>,
  ): boolean | Promise<boolean>;
}

/** Who does something; null without a token, where the access rule lets such callers in. */
type CallerOf<Action, Anonymous> = Action extends Anonymous ? Caller | null : Caller;

/** Policies by resource name. */
export type Policies = { readonly [resource: string]: ResourcePolicies<unknown> | undefined };
