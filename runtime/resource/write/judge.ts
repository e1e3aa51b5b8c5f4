import { refuse } from "../../errors/index.js";
import type { Reader } from "../record/read.js";
import { accountAmong } from "../rights/account.js";
import { idEquals } from "../table/column-keys.js";
import type { Change, Create, Write } from "./operation.js";

/**
 * By entry of the update rule, whether the record fulfilled it before the change. Null if the rule does not check the
 * written record.
 */
export type Fulfilled = readonly boolean[] | null;

/** Finds the entries of the update rule that the record fulfills before the change. */
export async function fulfilledBy(reader: Reader, write: Change): Promise<Fulfilled> {
  const { table, view, account, id } = write;
  if (view.judge === undefined) return null;
  const values: unknown[] = [id];
  const sqlOfAccount = accountAmong(values, account ?? "");
  const each = view.judge.stored.map((stored) => `(${stored(table.name, sqlOfAccount)}) is true`);
  const [row] = await reader.query<{ fulfilled: boolean[] }>(
    `select array[${each.join(", ")}] as fulfilled from ${table.name} where ${idEquals(table, "$1")}`,
    values,
  );
  return row?.fulfilled ?? [];
}

/** Throws a 403 unless the written record also fulfills one of these entries of the rule. */
export async function judgeWritten(
  reader: Reader,
  { table, view, account, ...write }: Create | Change,
  { id, fulfilled }: { readonly id: string; readonly fulfilled: Fulfilled },
): Promise<void> {
  const { judge } = view;
  if (judge === undefined) return;
  const values: unknown[] = [id];
  const sqlOfAccount = accountAmong(values, account ?? "");
  const entries = judge.written.filter((_, at) => write.kind === "create" || fulfilled?.[at]);
  const each = entries.map((written) => written(table.name, sqlOfAccount));
  const rows = await reader.query(
    `select from ${table.name} where ${idEquals(table, "$1")} and (${["false", ...each].join(" or ")})`,
    values,
  );
  if (rows.length > 0) return;
  refuse("FORBIDDEN", {
    reason: `no entry of the access rule allows this write to ${table.resource}`,
  });
}

/** Whether the rule checks the written record, which requires a transaction. */
export function isJudged({ view }: Write): boolean {
  return view.judge !== undefined;
}
