import { refuse } from "../errors/index.js";
import type { Context } from "../http/index.js";
import type { Caller, ResourcePolicies } from "../services/index.js";
import type { Table } from "./table.js";

type Action = keyof ResourcePolicies<unknown>;

/** Milliseconds. The policy of a write blocks everyone who needs the same record. */
const patience = 5_000;

/** Seconds, for `Retry-After`. */
const retryAfter = 2;

/** True when the operator gave this action of the resource a policy. */
export function hasPolicy(context: Context, table: Table<never>, action: Action): boolean {
  return policiesOf(context, table)?.[action] !== undefined;
}

/**
 * 403 unless the operator's policy, if there is one, returns true: returning nothing means no. A policy
 * that does not finish is 503. `about` are its arguments after the caller.
 */
export async function checkPolicy(
  context: Context,
  table: Table<never>,
  action: Action,
  ...about: readonly unknown[]
): Promise<void> {
  const policies = policiesOf(context, table);
  const policy = policies?.[action];
  if (policy === undefined) return;
  try {
    const verdict: unknown = Reflect.apply(policy, policies, [callerOf(context), ...about]);
    const allowed = isThenable(verdict) ? await inTime(Promise.resolve(verdict)) : verdict;
    if (allowed !== true) refuse("FORBIDDEN");
  } catch (error) {
    if (!(error instanceof Late)) throw error;
    const { resource } = table;
    context.services.log.error({ resource, action }, `A policy took more than ${patience} ms`);
    refuse("UNAVAILABLE", { retryAfter });
  }
}

/** A promise may come from another realm or library. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

class Late extends Error {}

function inTime<T>(verdict: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Late()), patience);
    verdict.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

function policiesOf(
  { services }: Context,
  { resource }: Table<never>,
): ResourcePolicies<unknown> | undefined {
  const { policies } = services;
  return Object.hasOwn(policies, resource) ? policies[resource] : undefined;
}

function callerOf({ caller }: Context): Caller {
  return caller ?? refuse("UNAUTHENTICATED");
}
