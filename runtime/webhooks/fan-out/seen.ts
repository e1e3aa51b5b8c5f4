import {
  changedColumns,
  type LoggedChange,
  numberChangesOf,
  rowOf,
  withImages,
} from "../../changes/index.js";
import type { Queryable } from "../../db/index.js";
import { isAllowed } from "../../http/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import {
  accountAmong,
  type Column,
  isAllowedBy,
  keysOfColumns,
  type ResourceDefinition,
  readable,
  rowsSeen,
  shownKeys,
} from "../../resource/index.js";

/** The net change of a record in one transaction, as an account sees it. */
export interface SeenChange {
  readonly n: number;
  readonly action: "created" | "updated" | "deleted";
  readonly id: string;
  readonly at: Date;
  /** The record's JSON as in lists; null if it was deleted or is too long. */
  readonly record: string | null;
  /** The keys of the changed fields; null for a deleted record. */
  readonly changed: readonly string[] | null;
}

interface Row {
  readonly n: number;
  /** Whether the row did not exist before the transaction. */
  readonly isNew: boolean;
  readonly op: string;
  readonly id: string;
  readonly at: Date;
  readonly wasSeen: boolean;
  readonly isSeen: boolean;
  /** Whether the row does not exist after the change. */
  readonly isGone: boolean;
  /** The names of the changed columns. */
  readonly columns: readonly string[];
  /** The columns that are not null after the change. */
  readonly filled: readonly string[];
  readonly record: string | null;
}

/** Maximum number of bytes of a record in a delivery. */
const maxRecordBytes = 256 * 1024;

/** Changes of a resource, and the account for which they are filtered. */
interface CallersChanges {
  readonly definition: ResourceDefinition;
  readonly caller: Caller;
  readonly changes: readonly LoggedChange[];
}

/**
 * The net change of each record in a transaction, as the account sees the record in lists. Each element of `changes` is
 * the last change of its record in a transaction. A record that becomes visible to the account counts as created, and
 * one that becomes hidden as deleted. Changes of hidden fields are left out.
 */
export async function changesSeenBy(
  tx: Queryable,
  services: Services,
  { definition, caller, changes }: CallersChanges,
): Promise<readonly SeenChange[]> {
  const { table, access } = definition;
  if (!isAllowed(caller, access.list)) return [];
  if (!(await mayList(services, caller, table))) return [];
  const view = readable(table, "list", caller.role);
  const values: unknown[] = [null, null];
  const seen = rowsSeen(view, accountAmong(values, caller.accountId));
  const isSeen = (image: string) => {
    const { from, on } = rowOf(table, image);
    return `exists (select from ${from} where ${image} is not null and ${on(seen)})`;
  };
  const now = rowOf(table, "_image.after");
  const query = `select _image.n::float8 as n, _start.before is null as "isNew", op, _image.id, _image.at,
       ${isSeen("_start.before")} as "wasSeen",
       ${isSeen("_image.after")} as "isSeen",
       _image.after is null as "isGone",
       ${changedColumns("_start.before", "_image.after")} as columns,
       ${changedColumns("null::jsonb", "_image.after")} as "filled",
       (
         select case when octet_length(json) <= ${maxRecordBytes} then json end
         from (
           select ${now.on(view.record)} as json
           from ${now.from}
           where _image.after is not null
         ) as _shown
       ) as record
     from ${withImages(table, "select unnest($1::bigint[])")} as _image
     join unnest($1::bigint[], $2::bigint[]) as _ended (n, first) on _ended.n = _image.n
     cross join lateral (
       select before from service.changes where changes.n = _ended.first
     ) as _start
     order by _image.n`;
  const read = (of: readonly LoggedChange[]) => {
    const numbers = [of.map(({ n }) => n), of.map(({ first }) => first)];
    return tx.query<Row>(query, [...numbers, ...values.slice(2)]);
  };
  /** Queries again after all committed changes were numbered: the log then has the last row of a deleted record. */
  const readNumbered = async (gone: readonly Row[]) => {
    if (gone.length === 0) return [];
    const ids = gone.map(({ id }) => id);
    // Fails the transaction, so that it is retried.
    if (!(await numberChangesOf(services.db, table, ids))) {
      throw new Error("Other changes are still being numbered");
    }
    const again = new Set(gone.map(({ n }) => n));
    return read(changes.filter(({ n }) => again.has(n)));
  };
  const found = await read(changes);
  const again = await readNumbered(found.filter(isUnknown));
  const rows = found.map((row) => again.find(({ n }) => n === row.n) ?? row);
  const fields = { columns: view.columns, keyOf: keysOfColumns(table.columns) };
  return rows.flatMap((row) => {
    if (isUnknown(row)) return view.own === undefined ? (goneChange(row) ?? []) : [];
    return seenChange(row, fields) ?? [];
  });
}

/** Whether the policy allows lists. If it fails, deliveries of other webhooks must go on. */
async function mayList(
  services: Services,
  caller: Caller,
  table: ResourceDefinition["table"],
): Promise<boolean> {
  try {
    return await isAllowedBy({ services, caller }, { table, action: "list" });
  } catch (err) {
    services.log.error(
      { err, resource: table.resource },
      "A policy failed: a webhook delivery was skipped",
    );
    return false;
  }
}

/** Whether a change that is not numbered yet deleted the record. */
function isUnknown({ isGone, op }: Row): boolean {
  return isGone && op !== "delete" && op !== "trash";
}

/** The change of a record whose row is lost, because of a `truncate`. Only a creation is delivered, without values. */
function goneChange({ n, id, at, isNew }: Row): SeenChange | null {
  return isNew ? { n, id, at, action: "created", record: null, changed: [] } : null;
}

interface Fields {
  /** The columns that the account may read, in order. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly keyOf: (column: string) => string | null;
}

function seenChange(
  { n, id, at, wasSeen, isSeen, columns, filled, record }: Row,
  fields: Fields,
): SeenChange | null {
  const seen = { n, id, at };
  if (!isSeen) return wasSeen ? { ...seen, action: "deleted", record: null, changed: null } : null;
  const differing = new Set((wasSeen ? columns : filled).map(fields.keyOf));
  const changed = shownKeys(fields.columns).filter((key) =>
    (fields.columns[key]?.computed ?? [key]).some((one) => differing.has(one)),
  );
  if (!wasSeen) return { ...seen, action: "created", record, changed };
  return changed.length === 0 ? null : { ...seen, action: "updated", record, changed };
}
