import { isTooWide, type Queryable, tableRefusal } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { hasAppCode } from "../hooks/run.js";
import { inTrash } from "../rights/trashed.js";
import { idOfTable, idSqlType } from "../table/column-keys.js";
import type { Table } from "../table/table.js";
import { hasColumnDefaults } from "../write/insert-text.js";
import { hasAppTriggers, type WriteEvent } from "../write/join/app-triggers.js";
import { joinedLists } from "../write/lists/values.js";
import { OtherFile, refuseOtherFiles } from "./other-file.js";
import { conflictsFound, issuesFound, type SentRow, sending, sentRows } from "./sent.js";

/** The conflicts of rows with stored records, by row number; rows without any are left out. */
export async function conflictsOf(
  { query }: Queryable,
  table: Table<never>,
  rows: readonly SentRow[],
): Promise<ReadonlyMap<number, readonly BodyIssue[]>> {
  const all = sending(table);
  const lookups = all.lookups.map(({ self: _, ...lookup }) => lookup);
  const found = await query<{ row: string; wrong: number[] }>(
    `select _row::text as row, wrong
    from (
      select _sent._row, ${conflictsFound(lookups)} as wrong
      from ${sentRows(all)}
    ) as _checked
    where wrong <> '{}'`,
    [all.json(rows)],
  );
  return new Map(
    found.map(({ row, wrong }) => [Number(row), wrong.flatMap((one) => issuesFound(lookups, one))]),
  );
}

/**
 * Stores new records with one statement within the actor's transaction. Stores none and returns false if PostgreSQL
 * refuses a row, or if a row has a file of another field or the id of a record in the trash.
 */
export async function insertRows(
  { services }: Actor,
  table: Table<never>,
  rows: readonly SentRow[],
): Promise<boolean> {
  if (rows.length === 0) return true;
  const all = sending(table);
  const from = sentRows(all);
  const parameters = [all.json(rows)];
  const haveFiles = rows.some((row) => all.hasFile(row));
  try {
    return await services.db.transaction(async ({ query }) => {
      if (await hasTrashedId({ query }, table, rows)) return false;
      if (haveFiles) await refuseOtherFiles({ query }, all, { from, parameters });
      await query(all.insert(from), parameters);
      if (!haveFiles) return true;
      for (const use of all.use) await query(use(from), parameters);
      return true;
    });
  } catch (error) {
    if (error instanceof OtherFile || isTooWide(error) || tableRefusal(error) !== null)
      return false;
    throw error;
  }
}

async function hasTrashedId(
  { query }: Queryable,
  table: Table<never>,
  rows: readonly SentRow[],
): Promise<boolean> {
  const ids = rows.flatMap(({ create: { given, id } }) => (given?.hasId === true ? [id] : []));
  if (table.trash === undefined || ids.length === 0) return false;
  const trashed = `select from unnest($1::${idSqlType(table)}[]) as _given (id) where ${inTrash(table, "_given.id")}`;
  return (await query(`${trashed} limit 1`, [ids])).length > 0;
}

/** Whether rows must be stored one by one, because the database sets some columns or lists are in other tables. */
function needsOwnInserts(table: Table<never>): boolean {
  return (
    idOfTable(table).made === "database" ||
    hasColumnDefaults(table) ||
    joinedLists(table).length > 0
  );
}

/**
 * Whether such writes to a table run neither an app hook nor an app trigger, so that only constraints can refuse them.
 */
export async function runsNoAppCode(
  actor: Actor,
  connection: Queryable,
  { table, events }: { readonly table: Table<never>; readonly events: readonly WriteEvent[] },
): Promise<boolean> {
  if (needsOwnInserts(table)) return false;
  for (const event of events) {
    if (hasAppCode(actor, table, event === "insert" ? "create" : "update")) return false;
    if (await hasAppTriggers(actor.services.db, connection, { table, event })) return false;
  }
  return true;
}
