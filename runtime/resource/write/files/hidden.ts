import { refuse } from "../../../errors/index.js";
import { isFileShown } from "../../record/file-use.js";
import type { Place } from "../../record/read.js";
import { accountAmong } from "../../rights/account.js";
import { onceFor } from "../../rights/once-for.js";
import { rowsSeen } from "../../rights/view.js";
import { wholeWriteView } from "../../rights/writable.js";
import type { Values } from "../../table/conflicts.js";
import { kindOf } from "../../table/kinds/kinds.js";
import { type Column, columnOf, type Table } from "../../table/table.js";
import { matchingRecord } from "../former.js";
import type { Change, Create } from "../operation.js";
import { conflictsOf } from "../refused/conflict.js";

/**
 * Refuses with 422 the keys of private files that the caller neither uploaded nor may fetch, as if there were no such
 * files: a key known from elsewhere would otherwise yield a signed URL in the answer. A record keeps its file, and may
 * get back those of its history. As for every other 422, a missing record (404) and a failed precondition (412) come
 * first.
 */
export async function refuseHiddenFiles(
  place: Place,
  write: Create | Change,
  sent: Values,
): Promise<void> {
  const { table, isReverted } = write;
  if (isReverted === true) return;
  const fields = privateFields(table).flatMap(({ field, column }) => {
    const key = sent[field];
    return typeof key === "string" ? [{ field, key, column }] : [];
  });
  const hidden: string[] = [];
  for (const { field, key, column } of fields) {
    if (await isOwn(place, write, { key, column })) continue;
    if (!(await isFileShown(place, table, { field, key }))) hidden.push(field);
  }
  if (hidden.length === 0) return;
  if (write.kind !== "create") await matchingRecord(place, write);
  const others = Object.entries(sent).filter(([field]) => !hidden.includes(field));
  const issues = [
    ...hidden.map((path) => ({ path, message: missing(write, path) })),
    ...(await conflictsOf(place.reader, write, Object.fromEntries(others))),
  ];
  refuse("INVALID", { issues });
}

export function hasPrivateFiles(table: Table<never>): boolean {
  return privateFields(table).length > 0;
}

const privateFields = onceFor((table: Table<never>) =>
  Object.entries<Column>(table.columns)
    .filter(([, column]) => column.isPrivate)
    .map(([field, column]) => ({ field, column })),
);

function missing({ table }: Create | Change, field: string): string {
  const column = columnOf(table, field);
  return column === null ? "" : kindOf(column).missing;
}

/**
 * Whether the app itself writes, the caller uploaded the file, or the record, which the caller may write, already has
 * it.
 */
async function isOwn(
  { actor: { services, caller }, reader }: Place,
  { table, view, kind, id }: Create | Change,
  { key, column }: { readonly key: string; readonly column: Column },
): Promise<boolean> {
  if (services.isTrusted === true || view === wholeWriteView(table)) return true;
  if (caller === null) return false;
  const values: unknown[] = [key, caller.accountId];
  const uploaded =
    "select from service.uploads where key = $1 and (user_id::text = $2 or sender = $2)";
  if (kind === "create") return (await reader.query(uploaded, values)).length > 0;
  values.push(id);
  const seen = rowsSeen(view, accountAmong(values, caller.accountId));
  const rows = await reader.query(
    `${uploaded}
     union all
     select from ${table.name} where id = $3 and ${column.name} = $1 and ${seen}`,
    values,
  );
  return rows.length > 0;
}
