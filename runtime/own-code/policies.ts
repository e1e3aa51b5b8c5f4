import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "./caller.js";
import type { HookContext } from "./hooks.js";
import type { JobInputs } from "./jobs/jobs.js";

/**
 * App rules of one resource by action, applied after its access rule. If a policy returns anything but `true`, the
 * response is 403; at the timeout (`server.hook_timeout_seconds`) it is 503.
 *
 * Policies of writes run in the write's transaction, and again if it is retried. `values` is what a create would store,
 * `changes` what an update would store (all fields on PUT). Both are validated and frozen; conflicts with other records
 * are checked later. `record` is a copy of the stored record, which stays locked.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   policies: {
 *     tasks: {
 *       update: (caller, task) => task.assigneeId === null || task.assigneeId === caller.accountId,
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface ResourcePolicies<
  Record,
  Values = unknown,
  Resources = unknown,
  Inputs = JobInputs,
  Anonymous = never,
  NewId = string,
> {
  list?(caller: CallerOf<"list", Anonymous>): boolean | Promise<boolean>;
  get?(caller: CallerOf<"get", Anonymous>, record: Record): boolean | Promise<boolean>;
  stats?(caller: CallerOf<"stats", Anonymous>): boolean | Promise<boolean>;
  create?(
    caller: CallerOf<"create", Anonymous>,
    values: Readonly<Values>,
    context: HookContext<Resources, Inputs, NewId>,
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

/** The caller; null for requests without a token, if the access rule allows them. */
type CallerOf<Action, Anonymous> = Action extends Anonymous ? Caller | null : Caller;

/** Policies by resource name. */
export type Policies = { readonly [resource: string]: ResourcePolicies<unknown> | undefined };

/**
 * A request without a token that would create a record.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   guards: {
 *     messages: {
 *       create: ({ values, headers }) => headers["x-form"] === "contact" && values.subject !== "",
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface GuardedRequest<Values = Readonly<Record<string, unknown>>> {
  /** The validated values, including defaults, as hooks get them. */
  readonly values: Values;
  /** The client's address; null if unknown. */
  readonly address: string | null;
  /** Headers by lower-case name: one may contain the response to a captcha. */
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the guard times out. */
  readonly signal: AbortSignal;
}

/**
 * Functions by resource that decide whether a caller without a token may create a record, for example with a captcha.
 * The response is 403 unless the function returns `true`. It runs before the transaction, and once per idempotency key.
 */
export type Guards = {
  readonly [resource: string]:
    | { create?(request: GuardedRequest): boolean | Promise<boolean> }
    | undefined;
};
