import type { Actor, HookName, ResourceHooks } from "../../own-code/index.js";
import { wrongValues } from "../own-code/blame.js";
import { callAppCode } from "../own-code/call.js";
import type { AppCall } from "../own-code/context.js";
import { AppCodeFailed } from "../own-code/failure.js";
import { hasPolicy } from "../own-code/policy.js";
import { type CheckedBody, isValid } from "../table/body.js";
import type { Values } from "../table/conflicts.js";
import type { Table } from "../table/table.js";

type WriteAction = "create" | "update" | "delete";

/** The names of an action's hooks: one before the write, and one after. */
const hooksOf = {
  create: ["beforeCreate", "afterCreate"],
  update: ["beforeUpdate", "afterUpdate"],
  delete: ["beforeDelete", "afterDelete"],
} as const satisfies Record<WriteAction, readonly HookName[]>;

/** The hooks of a resource; empty if the app defines none. */
function appHooks({ services }: Actor, resource: string): ResourceHooks<unknown, unknown> {
  const { hooks } = services.appCode;
  return (Object.hasOwn(hooks, resource) ? hooks[resource] : undefined) ?? {};
}

export function hasHook(actor: Actor, { resource }: Table<never>, name: HookName): boolean {
  return appHooks(actor, resource)[name] !== undefined;
}

/** Whether such a write runs app code: a policy or a hook. */
export function hasAppCode(actor: Actor, table: Table<never>, action: WriteAction): boolean {
  return (
    hasPolicy(actor, table, action) || hooksOf[action].some((name) => hasHook(actor, table, name))
  );
}

/** Runs a *before* hook, if there is one; returns its result. */
export async function runBefore(
  actor: Actor,
  { resource }: Table<never>,
  { hook, ...call }: { readonly hook: HookName } & Omit<AppCall, "what">,
  ...about: readonly unknown[]
): Promise<unknown> {
  const own = appHooks(actor, resource);
  const run = own[hook];
  if (run === undefined) return undefined;
  return callAppCode(actor, { ...call, what: `${resource}.${hook}` }, (context) =>
    Reflect.apply(run, own, [...about, context]),
  );
}

/**
 * The values after a *before* hook: those that it returns, validated like a body, or the original ones. Invalid values
 * are a bug of the hook.
 */
export async function valuesAfter(
  actor: Actor,
  table: Table<never>,
  call: { readonly hook: "beforeCreate" | "beforeUpdate"; readonly id: string },
  check: (values: Values) => CheckedBody<object>,
  given: Values,
  ...about: readonly unknown[]
): Promise<Values> {
  const returned = await runBefore(actor, table, call, given, ...about);
  if (returned === undefined) return given;
  const what = `${table.resource}.${call.hook}`;
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) {
    throw new AppCodeFailed(what, "returned neither an object of values nor nothing");
  }
  const checked = check(definedOnly(returned));
  if (isValid(checked)) return Object.freeze(checked.values) as Values;
  throw new AppCodeFailed(what, `returned values that cannot be stored: ${wrongValues(checked)}`);
}

/** Without the keys whose value is undefined, which JSON does not have either. */
export function definedOnly(values: object): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Schedules the hook to run after the commit, if there is one. `records` are its records as JSON texts. */
export function noteAfter(
  actor: Actor,
  { resource }: Table<never>,
  { id, cascadedFrom = null }: Omit<AppCall, "what">,
  action: WriteAction,
  records: readonly string[],
): void {
  const [, hook] = hooksOf[action];
  const { unit, caller, chain = [] } = actor;
  if (unit === undefined || appHooks(actor, resource)[hook] === undefined) return;
  const within = [...chain, `${resource}.${hook}`];
  const outer: Actor = { services: unit.outer, caller, chain: within };
  unit.after.push({ actor: outer, resource, hook, id, cascadedFrom, records });
}
