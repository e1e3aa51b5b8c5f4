import { Refusal, refuse } from "../../errors/index.js";
import type { Actor, ResourcePolicies } from "../../own-code/index.js";
import type { Values } from "../table/conflicts.js";
import type { Table } from "../table/table.js";
import { callAppCode } from "./call.js";
import { withTimeLimit } from "./time-limit.js";

type Action = keyof ResourcePolicies<unknown>;

/** Seconds for `Retry-After`. */
const retryAfter = 2;

/** Whether the app has a policy for this action of the resource. */
export function hasPolicy(
  actor: Pick<Actor, "services">,
  table: Pick<Table<never>, "resource">,
  action: Action,
): boolean {
  return policiesOf(actor, table)?.[action] !== undefined;
}

interface PolicyRead {
  readonly table: Pick<Table<never>, "resource">;
  readonly action: "list" | "get" | "stats";
}

/**
 * Refuses with 403 unless the app's policy of a read, if there is one, returns `true`; returning nothing refuses too.
 * Throws a 503 if it times out. `about` are its arguments after the caller.
 */
export async function checkPolicy(
  actor: Actor,
  read: PolicyRead,
  ...about: readonly unknown[]
): Promise<void> {
  if (await isAllowedBy(actor, read, ...about)) return;
  refuse("FORBIDDEN", {
    reason: `the policy "${read.action}" of ${read.table.resource} did not return true`,
  });
}

/** Whether the app's policy of a read, if there is one, returns `true`. Throws a 503 if it times out. */
export async function isAllowedBy(
  actor: Actor,
  { table, action }: PolicyRead,
  ...about: readonly unknown[]
): Promise<boolean> {
  if (!hasPolicy(actor, table, action)) return true;
  const { hookTimeoutSeconds } = actor.services.config.server;
  const verdict = await withTimeLimit(
    hookTimeoutSeconds * 1_000,
    async () => callPolicy(actor, { table, action }, ...about),
    () => {
      const { resource } = table;
      actor.services.log.error(
        { resource, action },
        `A policy took more than ${hookTimeoutSeconds} s`,
      );
      return new Refusal("UNAVAILABLE", { retryAfter });
    },
  );
  return verdict === true;
}

/** A prepared write, with the arguments of the app's policy. */
export type JudgedWrite = { readonly id: string | null } & (
  | { readonly action: "create"; readonly values: Values }
  | { readonly action: "update"; readonly record: object; readonly changes: Values }
  | { readonly action: "delete"; readonly record: object }
);

/**
 * Refuses with 403 unless the policy of a write, if there is one, returns `true`. It runs in the actor's transaction.
 */
export async function checkWritePolicy(
  actor: Actor,
  table: Pick<Table<never>, "resource">,
  write: JudgedWrite,
): Promise<void> {
  const { action, id } = write;
  if (!hasPolicy(actor, table, action)) return;
  const what = `the policy "${action}" of ${table.resource}`;
  const verdict = await callAppCode(actor, { what, id }, (context) =>
    callPolicy(actor, { table, action }, ...argumentsOf(write), context),
  );
  if (verdict !== true) refuse("FORBIDDEN", { reason: `${what} did not return true` });
}

/** Returns the arguments of a write's policy between the caller and the context; see `ResourcePolicies`. */
function argumentsOf(write: JudgedWrite): readonly unknown[] {
  switch (write.action) {
    case "create":
      return [write.values];
    case "update":
      return [write.record, write.changes];
    case "delete":
      return [write.record];
  }
}

/**
 * Calls the app's policy and returns its result. The caller is null for anonymous callers that the access rule allows.
 */
function callPolicy(
  actor: Actor,
  { table, action }: { readonly table: PolicyRead["table"]; readonly action: Action },
  ...about: readonly unknown[]
): unknown {
  const policies = policiesOf(actor, table);
  const policy = policies?.[action];
  return policy === undefined ? true : Reflect.apply(policy, policies, [actor.caller, ...about]);
}

function policiesOf(
  { services }: Pick<Actor, "services">,
  { resource }: Pick<Table<never>, "resource">,
): ResourcePolicies<unknown> | undefined {
  const { policies } = services;
  return Object.hasOwn(policies, resource) ? policies[resource] : undefined;
}
