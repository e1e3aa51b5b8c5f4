import { type Context, isAllowed, refuseByRule, refuseUnauthenticated } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import {
  accountAmong,
  checkRecordPolicy,
  idEquals,
  keptId,
  type ResourceDefinition,
  readable,
  rowsSeen,
  someRows,
  type Table,
  type TableRule,
} from "../../resource/index.js";
import { rowOf } from "../log/images.js";

/** Returns the rule of `history`, or that of `update` if there is none. */
export function historyRule({ table, access }: ResourceDefinition): TableRule {
  return table.changes?.access ?? access.update;
}

export interface KnownRecord {
  readonly caller: Caller;
  /** False for a deleted record. */
  readonly isLiving: boolean;
}

/**
 * Returns the record if the caller may read its history; null if it has none for this caller. A rule or a policy
 * refuses with 403. The rule of `history` decides: owners may read the history of their records, and of deleted records
 * whose last owner they were. If the record still exists, the caller must also be allowed to read it.
 */
export async function knowRecord(
  context: Context,
  definition: ResourceDefinition,
  id: string,
): Promise<KnownRecord | null> {
  const caller = context.caller ?? refuseUnauthenticated();
  const rule = historyRule(definition);
  if (!isAllowed(caller, rule)) refuseByRule(caller, rule);
  const living = await findLiving(context, definition.table, { caller, rule, id });
  if (living === null) {
    const isOfTheirs = await isOfCaller(context, definition.table, { caller, rule, id });
    return isOfTheirs ? { caller, isLiving: false } : null;
  }
  const { get } = definition.access;
  if (!isAllowed(caller, get)) refuseByRule(caller, get);
  if (!living.isSeen || !living.isOwn) return null;
  await checkRecordPolicy(context, definition.table, id);
  return { caller, isLiving: true };
}

interface RecordOfCaller {
  readonly caller: Caller;
  readonly rule: TableRule;
  readonly id: string;
}

interface Living {
  readonly isSeen: boolean;
  readonly isOwn: boolean;
}

async function findLiving(
  { services }: Context,
  table: Table<never>,
  { caller, rule, id }: RecordOfCaller,
): Promise<Living | null> {
  const values: unknown[] = [id];
  const account = accountAmong(values, caller.accountId);
  const seen = rowsSeen(readable(table, "get", caller.role), account);
  const own = someRows(table, rule, caller.role)?.row(table.name, account) ?? "true";
  const [living] = await services.db.query<Living>(
    `select coalesce(${seen}, false) as "isSeen", coalesce(${own}, false) as "isOwn"
     from ${table.name}
     where ${idEquals(table, "$1")}`,
    values,
  );
  return living ?? null;
}

/** Whether the log contains a deleted record whose history the rule allows the caller to read. */
async function isOfCaller(
  { services }: Context,
  table: Table<never>,
  { caller, rule, id }: RecordOfCaller,
): Promise<boolean> {
  const values: unknown[] = [table.resource, id];
  const account = accountAmong(values, caller.accountId);
  const own = someRows(table, rule, caller.role)?.row(table.name, account) ?? "true";
  const last = rowOf(table, "_last.before");
  const rows = await services.db.query(
    `select
     from (
       select before
       from service.changes
       where resource = $1 and id = ${keptId(table, "$2")} and before is not null
       order by n desc
       limit 1
     ) as _last
     cross join ${last.from}
     where ${last.on(own)}`,
    values,
  );
  return rows.length > 0;
}
