import type { Access } from "../../db/index.js";
import { isAllowed } from "../../http/index.js";
import type { Actor, Caller } from "../../own-code/index.js";
import { hasConditions } from "../../values/access-rule.js";
import { plainTrash, trashByRule } from "../rights/trashed.js";
import type { View } from "../rights/view.js";
import type { TableRule } from "../table/rule.js";
import type { Table } from "../table/table.js";
import { appRecord } from "./app-record.js";
import { getStatement } from "./get-statement.js";
import { isShownByPolicy } from "./shown-by-policy.js";

/** A deleted record that the rule of `delete` or `purge` hides from the caller. */
export interface HiddenRecord {
  readonly table: Table<never>;
  readonly rule: TableRule;
  /** Null if the app itself acts. */
  readonly caller: Caller | null;
  readonly id: string;
}

/**
 * Whether a condition of the rule hides the record from a caller who may get it: the response is then 403 instead of
 * 404.
 */
export async function isHiddenInTrash(
  { actor, reader }: { readonly actor: Actor; readonly reader: Pick<Access, "read"> },
  { table, rule, caller, id }: HiddenRecord,
): Promise<boolean> {
  if (caller === null || !hasConditions(rule) || !isAllowed(caller, table.access.get)) return false;
  const find = async (view: View, account: string | null) => {
    const { text, parameters: values } = getStatement(view, id, account);
    const [row] = await reader.read<{ json: string }>({ text, values, cost: "key" });
    return row ?? null;
  };
  const { accountId } = caller;
  if ((await find(trashByRule(table, "get", caller.role), accountId)) === null) return false;
  const whole = await find(plainTrash(table), null);
  return whole !== null && isShownByPolicy(actor, table, appRecord(actor.services, whole.json));
}
