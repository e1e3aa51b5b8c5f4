import { type BodyIssue, refuse } from "../../../errors/index.js";
import { filesShown, holds } from "../../record/file-use.js";
import type { Place } from "../../record/read.js";
import { accountAmong } from "../../rights/account.js";
import { onceFor } from "../../rights/once-for.js";
import { rowsSeen } from "../../rights/view.js";
import { idEquals } from "../../table/column-keys.js";
import type { Values } from "../../table/conflicts.js";
import { kindOf } from "../../table/kinds/kinds.js";
import { placeOf } from "../../table/kinds/links.js";
import type { Column, Table } from "../../table/table.js";
import { matchingRecord } from "../former.js";
import type { Change, Create } from "../operation.js";
import { conflictsOf } from "../refused/conflict.js";

/**
 * Refuses with 422 the storage keys of private files that the caller neither uploaded nor may download, as if those
 * files did not exist. Otherwise a guessed or leaked key would yield a signed URL in the response. A record keeps its
 * file, and a file of its history can be restored. As for every other 422, a missing record (404) and a failed
 * precondition (412) take precedence.
 */
export async function refuseHiddenFiles(
  place: Place,
  write: Create | Change,
  sent: Values,
): Promise<void> {
  const { table, isReverted } = write;
  if (isReverted === true) return;
  const hidden: HiddenKey[] = [];
  for (const { field, column } of privateFields(table)) {
    const keys = [sent[field] ?? []].flat().map(String);
    const own = await ownAmong(place, write, { keys, column });
    const others = keys.filter((key) => !own.has(key));
    const shown = await filesShown(place, table, { field, keys: others });
    for (const [at, key] of keys.entries()) {
      if (!own.has(key) && !shown.has(key)) hidden.push({ field, column, key, at });
    }
  }
  if (hidden.length === 0) return;
  if (write.kind !== "create") await matchingRecord(place, write);
  const fields = hidden.map(({ field }) => field);
  const others = Object.entries(sent).filter(([field]) => !fields.includes(field));
  const issues = [
    ...hidden.map((one) => issueOf(write, one)),
    ...(await conflictsOf(place.reader, write, Object.fromEntries(others))),
  ];
  refuse("INVALID", { issues });
}

/** A storage key that the caller may not use, and its position in the field. */
interface HiddenKey {
  readonly field: string;
  readonly column: Column;
  readonly key: string;
  readonly at: number;
}

function issueOf({ checked }: Create | Change, { field, column, key, at }: HiddenKey): BodyIssue {
  const { isList, missing } = kindOf(column);
  const place = isList ? placeOf(key, at, checked.amounts?.[field]) : [];
  return { path: [field, ...place].join("."), message: missing };
}

export function hasPrivateFiles(table: Table<never>): boolean {
  return privateFields(table).length > 0;
}

const privateFields = onceFor((table: Table<never>) =>
  Object.entries<Column>(table.columns)
    .filter(([, column]) => column.isPrivate)
    .map(([field, column]) => ({ field, column })),
);

/**
 * The storage keys of files that the caller uploaded, or that are already in the record, which the caller may write.
 * All keys if the app itself writes.
 */
async function ownAmong(
  { actor: { services, caller }, reader }: Place,
  { table, view, kind, id }: Create | Change,
  { keys, column }: { readonly keys: readonly string[]; readonly column: Column },
): Promise<ReadonlySet<string>> {
  if (services.isTrusted === true) return new Set(keys);
  if (caller === null || keys.length === 0) return new Set();
  const values: unknown[] = [keys, caller.accountId];
  const uploaded =
    "select key from service.uploads where key = any($1) and (user_id::text = $2 or sender = $2)";
  if (kind === "create") return keysIn(await reader.query<{ key: string }>(uploaded, values));
  values.push(id);
  const seen = rowsSeen(view, accountAmong(values, caller.accountId));
  const rows = await reader.query<{ key: string }>(
    `${uploaded}
     union all
     select _file.key
     from unnest($1::text[]) as _file (key)
     where exists (
       select from ${table.name} where ${idEquals(table, "$3")} and ${holds(table, column, "_file.key")} and ${seen}
     )`,
    values,
  );
  return keysIn(rows);
}

function keysIn(rows: readonly { readonly key: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ key }) => key));
}
