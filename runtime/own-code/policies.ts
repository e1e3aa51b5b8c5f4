import type { Caller } from "./caller.js";
import type { HookContext } from "./hooks.js";
import type { JobInputs } from "./jobs/jobs.js";

/**
 * App rules of one resource by action, applied after its access rule. If a policy returns anything but `true`, the
 * answer is 403; at the timeout (`server.hook_timeout_seconds`) it is 503.
 *
 * Policies of writes run in the write's transaction, and again if it is retried. `values` is what a create would store,
 * `changes` what an update would store (all fields on PUT). Both are validated and frozen; conflicts with other records
 * are checked later. `record` is a copy of the stored record, which stays locked.
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

/** The caller; null without a token if the access rule allows anonymous callers. */
type CallerOf<Action, Anonymous> = Action extends Anonymous ? Caller | null : Caller;

/** Policies by resource name. */
export type Policies = { readonly [resource: string]: ResourcePolicies<unknown> | undefined };
