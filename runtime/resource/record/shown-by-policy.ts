import { Refusal } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { isAllowedBy } from "../own-code/policy.js";
import type { Table } from "../table/table.js";

/**
 * Whether the policy of `get`, if there is one, shows the record to the caller; a refusal thrown by the policy counts
 * as false.
 */
export async function isShownByPolicy(
  actor: Actor,
  table: Table<never>,
  record: object,
): Promise<boolean> {
  try {
    return await isAllowedBy(actor, { table, action: "get" }, record);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return false;
    throw error;
  }
}
