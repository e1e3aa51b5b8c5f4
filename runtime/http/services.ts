import type { Clock } from "../clock/index.js";
import type { Config } from "../config/index.js";
import type { Database } from "../db/index.js";
import type { Mailer } from "../mail/index.js";
import type { Caller } from "./caller.js";
import type { Log } from "./log.js";

/**
 * The operator's own say on one resource, by action, after the access rule: false is 403, and so is no
 * answer; one that takes more than five seconds is 503. `values` is what a create would store, `changes`
 * what an update would (all of it on PUT): both are checked and frozen, and whether they conflict with
 * other records is looked up only afterwards. `record` is a copy of the stored record: that of a write
 * is locked from before it is judged until it is written. A policy may be asked again when its
 * transaction is run again.
 */
export interface ResourcePolicies<Record, Values = unknown> {
  list?(caller: Caller): boolean | Promise<boolean>;
  get?(caller: Caller, record: Record): boolean | Promise<boolean>;
  stats?(caller: Caller): boolean | Promise<boolean>;
  create?(caller: Caller, values: Readonly<Values>): boolean | Promise<boolean>;
  update?(
    caller: Caller,
    record: Record,
    changes: Readonly<Partial<Values>>,
  ): boolean | Promise<boolean>;
  delete?(caller: Caller, record: Record): boolean | Promise<boolean>;
}

/** Policies by resource name. */
export type Policies = { readonly [resource: string]: ResourcePolicies<unknown> | undefined };

/** What handlers may use; made once at the start. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly policies: Policies;
}
