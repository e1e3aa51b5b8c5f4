/** Whoever makes a request, as identified by its token. */
export interface Caller {
  readonly accountId: string;
  readonly role: string | null;
  readonly sessionId: string | null;
}

/**
 * The operator's own rules for one resource, by action, applied after the access rule. A policy that
 * returns anything but true is 403; one that takes more than five seconds is 503. `values` is what a
 * create would store, `changes` what an update would store (all of it on PUT): both are validated and
 * frozen, and conflicts with other records are looked up only afterwards. `record` is a copy of the
 * stored record, which a write keeps locked from before its policy runs until it is written. A policy
 * may run again when its transaction is retried.
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
