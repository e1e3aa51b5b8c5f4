import type { Clock } from "../clock/index.js";
import type { Config } from "../config/index.js";
import type { Database } from "../db/index.js";
import type { Mailer } from "../mail/index.js";
import type { Caller } from "./caller.js";
import type { Log } from "./log.js";

/**
 * The operator's own say on one resource, by action, after the access rule: false is 403. `record` is
 * the stored record where there is one.
 */
export interface ResourcePolicies<Record> {
  list?(caller: Caller): boolean | Promise<boolean>;
  get?(caller: Caller, record: Record): boolean | Promise<boolean>;
  stats?(caller: Caller): boolean | Promise<boolean>;
  create?(caller: Caller): boolean | Promise<boolean>;
  update?(caller: Caller, record: Record): boolean | Promise<boolean>;
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
