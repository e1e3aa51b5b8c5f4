import type { Actor, HookName, ResourceHooks } from "../../own-code/index.js";
import { wrongValues } from "../own-code/blame.js";
import { callAppCode } from "../own-code/call.js";
import type { AppCall } from "../own-code/context.js";
import { AppCodeFailed } from "../own-code/failure.js";
import { hasPolicy } from "../own-code/policy.js";
import { type CheckedBody, isValid } from "../table/body.js";
import type { Values } from "../table/conflicts.js";
import type { Table } from "../table/table.js";

/** The hooks of each action: one before the write, and one after. */
const hooksOf = {
  create: ["beforeCreate", "afterCreate"],
  update: ["beforeUpdate", "afterUpdate"],
  delete: ["beforeDelete", "afterDelete"],
} as const;

type WriteAction = keyof typeof hooksOf;

interface HookCall<Name extends HookName> extends Omit<AppCall, "what"> {
  readonly hook: Name;
  readonly table: Table<never>;
}

/** Returns the hooks of a resource; empty if the app defines none. */
function appHooks({ services }: Actor, resource: string): ResourceHooks<unknown, unknown> {
  const { hooks } = services.appCode;
  return (Object.hasOwn(hooks, resource) ? hooks[resource] : undefined) ?? {};
}

export function hasHook(actor: Actor, { resource }: Table<never>, name: HookName): boolean {
  return appHooks(actor, resource)[name] !== undefined;
}

/** Whether a write runs app code: a policy or a hook. */
export function hasAppCode(actor: Actor, table: Table<never>, action: WriteAction): boolean {
  return (
    hasPolicy(actor, table, action) || hooksOf[action].some((name) => hasHook(actor, table, name))
  );
}

/** Runs a *before* hook, if there is one, and returns its result. `about` are its arguments before the context. */
export async function runBefore(
  actor: Actor,
  { hook, table, ...call }: HookCall<(typeof hooksOf)[WriteAction][0] | "beforeRestore">,
  ...about: readonly unknown[]
): Promise<unknown> {
  const own = appHooks(actor, table.resource);
  const run = own[hook];
  if (run === undefined) return undefined;
  return callAppCode(actor, { ...call, what: `${table.resource}.${hook}` }, (context) =>
    Reflect.apply(run, own, [...about, context]),
  );
}

interface Proposed {
  readonly values: Values;
  readonly check: (values: Values) => CheckedBody<object>;
  /** The stored record; omitted for a new one. */
  readonly record?: object;
}

/**
 * Runs a *before* hook and returns the values that it returns, validated like a body, or else the original ones.
 * Invalid values are a bug in the hook.
 */
export async function valuesAfter(
  actor: Actor,
  call: HookCall<"beforeCreate" | "beforeUpdate">,
  { values, check, record }: Proposed,
): Promise<Values> {
  const about = record === undefined ? [values] : [values, record];
  const returned = await runBefore(actor, call, ...about);
  if (returned === undefined) return values;
  const what = `${call.table.resource}.${call.hook}`;
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) {
    throw new AppCodeFailed(what, "must return an object of values, or undefined");
  }
  const checked = check(definedOnly(returned));
  if (isValid(checked)) return Object.freeze(checked.values) as Values;
  throw new AppCodeFailed(what, `returned values that cannot be stored: ${wrongValues(checked)}`);
}

/** Omits keys whose value is undefined, which JSON does not have either. */
export function definedOnly(values: object): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Schedules a hook, if there is one, to run after the commit. `records` are its records as JSON texts. */
export function noteAfter(
  actor: Actor,
  {
    hook,
    table,
    id,
    cascadedFrom = null,
    isTrashed = false,
  }: HookCall<(typeof hooksOf)[WriteAction][1]> & { readonly id: string },
  records: readonly string[],
): void {
  const { resource } = table;
  const { unit, caller, chain = [] } = actor;
  if (unit === undefined || appHooks(actor, resource)[hook] === undefined) return;
  const within = [...chain, `${resource}.${hook}`];
  const outer: Actor = { services: unit.outer, caller, chain: within };
  unit.after.push({ actor: outer, resource, hook, id, cascadedFrom, isTrashed, records });
}
