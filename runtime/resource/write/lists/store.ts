import type { Queryable } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import { unquotedTable } from "../../../values/sql/table-name.js";
import { type StoredRecord, versionSql } from "../../record/tag.js";
import { textWithAccount, withAccount } from "../../rights/account.js";
import { idColumn, idEquals } from "../../table/column-keys.js";
import type { Values } from "../../table/conflicts.js";
import { kindOf } from "../../table/kinds/kinds.js";
import type { Table } from "../../table/table.js";
import type { Change, Create } from "../operation.js";
import { conflictsOf } from "../refused/conflict.js";
import { type JoinedList, listsIn } from "./values.js";

export interface Listing {
  readonly id: string;
  readonly values: Values;
  /** The JSON of the record before the write; null for a new one. */
  readonly former: string | null;
}

/**
 * Stores those lists among the values whose links are in other programs' tables, for a record that the transaction has
 * locked. Adds only links that the record lacks, and removes only those no longer listed. Links that another program
 * adds meanwhile stay. Returns the record with its lists; null if none has changed.
 */
export async function storeLists(
  db: Queryable,
  write: Create | Change,
  { id, values, former }: Listing,
): Promise<StoredRecord | null> {
  const { table, view } = write;
  const lists = listsIn(table, values);
  if (lists.length === 0) return null;
  const { listed = {} } = write.checked;
  const stored: Values = former === null ? {} : JSON.parse(former);
  let changed = 0;
  for (const { list, ids } of lists) {
    // The change was computed from these links; others may have been added since.
    const before = listed[list.key] ?? ((stored[list.key] ?? []) as readonly string[]);
    const place = { db, write, id, list, wanted: ids };
    const [removed, added] = [missingIn(ids, before), missingIn(before, ids)];
    await removeLinks(place, removed);
    await addLinks(place, added);
    changed += removed.length + added.length;
  }
  if (changed === 0) return null;
  const [record] = await db.query<StoredRecord>(
    `select ${view.record} as json, ${versionSql(table)} as version from ${table.name} where ${idEquals(table, "$1")}`,
    [id],
  );
  return record ?? refuse("NOT_FOUND");
}

/** The elements of `others` that are not in `ids`. */
function missingIn(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(ids);
  return others.filter((id) => !known.has(id));
}

interface Place {
  readonly db: Queryable;
  readonly write: Create | Change;
  readonly id: string;
  readonly list: JoinedList;
  /** The whole list after the write. */
  readonly wanted: readonly string[];
}

async function removeLinks(place: Place, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, write, id, list } = place;
  const rows = await db.query(
    `delete from ${list.table} where ${linkOf(write.table, list)} returning 1`,
    [id, ids],
  );
  if (rows.length < ids.length && (await countListed(place, ids)) > 0) refuseDropped(list);
}

async function addLinks(place: Place, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { db, write, id, list, wanted } = place;
  const { table, view, account } = write;
  const { record, target, targetKey } = list.columns;
  const { sqlType } = kindOf(list.column);
  const mayLink = view.targets.get(list.key);
  const statement = textWithAccount(
    2,
    (sql) => `
    insert into ${list.table} (${record}, ${target})
    select _own.id, _listed.id
    from (select ${idColumn(table)} as id from ${table.name} where ${idEquals(table, "$1")}) as _own,
      (select ${targetKey} as id from ${list.target} where ${targetKey} = any($2::${sqlType})) as _listed
    where ${mayLink === undefined ? "true" : mayLink("$2", sql)}
    order by _listed.id
    on conflict (${record}, ${target}) do nothing
    returning 1`,
  );
  const { text, parameters } = withAccount(statement, [id, ids], account);
  const rows = await db.query(text, parameters);
  if (rows.length === ids.length || (await countListed(place, ids)) === ids.length) return;
  const issues = await conflictsOf(db, write, { [list.key]: wanted });
  if (issues.length > 0) refuse("INVALID", { issues });
  refuseDropped(list);
}

/** How many of the ids are in the stored list. */
async function countListed(
  { db, write, id, list }: Place,
  ids: readonly string[],
): Promise<number> {
  const rows = await db.query(`select from ${list.table} where ${linkOf(write.table, list)}`, [
    id,
    ids,
  ]);
  return rows.length;
}

/** SQL that is true for links of the record `$1` to the targets `$2`. */
function linkOf(table: Table<never>, { column, columns: { record, target } }: JoinedList): string {
  const own = `select ${idColumn(table)} from ${table.name} where ${idEquals(table, "$1")}`;
  return `${record} = (${own}) and ${target} = any($2::${kindOf(column).sqlType})`;
}

function refuseDropped({ table }: JoinedList): never {
  return refuse("REFUSED", {
    error: `A trigger of the table "${unquotedTable(table)}" dropped the change of a link`,
  });
}
