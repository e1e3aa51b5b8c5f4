import { refuse } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { appRecord } from "../record/app-record.js";
import type { Place, Reader } from "../record/read.js";
import { type StoredRecord, versionSql } from "../record/tag.js";
import { wholeView } from "../rights/view.js";
import { creationOrder, idColumn, shownId } from "../table/column-keys.js";
import type { Cascade, Table } from "../table/table.js";
import { hasHook, runBefore } from "./run.js";

/** A record that is deleted by a cascade and has hooks to run. */
export interface CascadedRecord extends StoredRecord {
  readonly table: Table<never>;
  readonly id: string;
}

interface CascadedDelete {
  readonly table: Table<never>;
  readonly id: string;
  /** Whether the records are kept in the trash. */
  readonly isTrashed: boolean;
}

/** The maximum number of records per delete whose hooks run: all are in memory until the commit. */
const maxRecords = 10_000;

/** Whether a delete cascades to records that have hooks. */
export function cascadesToHooks(actor: Actor, { cascades = [] }: Table<never>): boolean {
  return cascades.some(({ table }) => hasDeleteHook(actor, table()));
}

function hasDeleteHook(actor: Actor, table: Table<never>): boolean {
  return hasHook(actor, table, "beforeDelete") || hasHook(actor, table, "afterDelete");
}

/**
 * Locks the records to which a delete cascades, parents first, so that nothing can be added to them. Runs their hooks
 * before the deletion, in order of creation. The record itself is already locked.
 */
export async function prepareCascade(
  { actor, reader }: Place,
  { table, id, isTrashed }: CascadedDelete,
): Promise<readonly CascadedRecord[]> {
  if (!cascadesToHooks(actor, table)) return [];
  const { queries, cascades = [] } = table;
  const found: CascadedRecord[] = [];
  for (const cascade of cascades) {
    await lockRecords(reader, { deleted: queries.deleted ?? "", cascade, id });
    const gone = cascade.table();
    if (!hasDeleteHook(actor, gone)) continue;
    const rows = await recordsOf(reader, { deleted: queries.deleted ?? "", cascade, id });
    found.push(...rows.map((row) => ({ ...row, table: gone })));
    if (found.length > maxRecords) refuse("IN_USE", { error: tooMany });
  }
  const cascadedFrom = { resource: table.resource, id };
  for (const one of found) {
    const record: unknown = appRecord(actor.services, one.json);
    const of = { table: one.table, id: one.id, cascadedFrom, isTrashed };
    await runBefore(actor, { hook: "beforeDelete", ...of }, record);
  }
  return found;
}

const tooMany = `More than ${maxRecords} records would be deleted with this one, and each runs its hooks: delete some of them first`;

interface Cascaded {
  readonly deleted: string;
  readonly cascade: Cascade;
  readonly id: string;
}

async function lockRecords(reader: Reader, { deleted, cascade, id }: Cascaded): Promise<void> {
  const table = cascade.table();
  const column = idColumn(table);
  const rows = `select ${column} from ${table.name} where ${column} in (${cascade.ids}) order by ${column} for update`;
  await reader.query(`${deleted}, _locked as (${rows}) select count(*) from _locked`, [id]);
}

/** Returns at most one record more than the maximum, so that the caller can detect an excess. */
function recordsOf(
  reader: Reader,
  { deleted, cascade, id }: Cascaded,
): Promise<readonly (StoredRecord & { readonly id: string })[]> {
  const view = wholeView(cascade.table());
  const { name, record } = view;
  return reader.query(
    `${deleted}
    select ${shownId(view, name)}, ${record} as json, ${versionSql(view)} as version
    from ${name} where ${name}.${idColumn(view)} in (${cascade.ids})
    order by ${creationOrder(view)}
    limit ${maxRecords + 1}`,
    [id],
  );
}
