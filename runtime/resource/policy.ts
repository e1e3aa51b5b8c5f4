import { refuse } from "../errors/index.js";
import type { Caller, Context, ResourcePolicies } from "../http/index.js";
import type { Table } from "./table.js";

/** Actions on the resource as a whole, and those on one stored record. */
type GeneralAction = "list" | "stats" | "create";
type RecordAction = "get" | "update" | "delete";

/** True when the operator gave this action of the resource a policy. */
export function hasPolicy<Values>(
  context: Context,
  table: Table<Values>,
  action: GeneralAction | RecordAction,
): boolean {
  return policiesOf(context, table)?.[action] !== undefined;
}

/** 403 unless the operator's policy, if there is one, says yes: one that forgets to answer says no. */
export async function checkPolicy<Values>(
  context: Context,
  table: Table<Values>,
  action: GeneralAction,
): Promise<void> {
  if (!hasPolicy(context, table, action)) return;
  const allowed = await policiesOf(context, table)?.[action]?.(callerOf(context));
  if (allowed !== true) refuse("FORBIDDEN");
}

/** The same for this record, given as its JSON text. */
export async function checkRecordPolicy<Values>(
  context: Context,
  table: Table<Values>,
  action: RecordAction,
  json: string,
): Promise<void> {
  if (!hasPolicy(context, table, action)) return;
  const record: unknown = JSON.parse(json);
  const allowed = await policiesOf(context, table)?.[action]?.(callerOf(context), record);
  if (allowed !== true) refuse("FORBIDDEN");
}

function policiesOf<Values>(
  { services }: Context,
  { resource }: Table<Values>,
): ResourcePolicies<unknown> | undefined {
  const { policies } = services;
  return Object.hasOwn(policies, resource) ? policies[resource] : undefined;
}

function callerOf({ caller }: Context): Caller {
  return caller ?? refuse("UNAUTHENTICATED");
}
