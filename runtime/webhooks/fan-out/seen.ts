import { changedColumns, rowOf, sequenceChanges, withImages } from "../../changes/index.js";
import type { Queryable } from "../../db/index.js";
import { isAllowed } from "../../http/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import {
  accountAmong,
  fieldKeys,
  isAllowedBy,
  keysOfColumns,
  type ResourceDefinition,
  readable,
  rowsSeen,
} from "../../resource/index.js";

/** A change as an account sees it. */
export interface SeenChange {
  readonly n: number;
  readonly action: "created" | "updated" | "deleted";
  readonly id: string;
  readonly at: Date;
  /** JSON as lists show the record; null of one that is deleted, or too long. */
  readonly record: string | null;
  /** Fields; null of a record that is deleted. */
  readonly changed: readonly string[] | null;
}

interface Row {
  readonly n: number;
  readonly op: string;
  readonly id: string;
  readonly at: Date;
  readonly wasSeen: boolean;
  readonly isSeen: boolean;
  /** Whether nothing is known of the record after the change. */
  readonly isGone: boolean;
  /** That differ, and that are not empty. */
  readonly columns: readonly string[];
  readonly filled: readonly string[];
  readonly record: string | null;
}

/** Bytes of a record that is sent. */
const maxRecordBytes = 256 * 1024;

/**
 * The changes with these numbers as the account may see the records in lists, before and after: what it may see from
 * then on is created for it, what it may no longer see is deleted, and what is not shown has not changed.
 */
export async function changesSeenBy(
  tx: Queryable,
  services: Services,
  { table, access }: ResourceDefinition,
  { caller, numbers }: { readonly caller: Caller; readonly numbers: readonly number[] },
): Promise<readonly SeenChange[]> {
  if (!isAllowed(caller, access.list)) return [];
  if (!(await mayList(services, caller, table))) return [];
  const view = readable(table, "list", caller.role);
  const values: unknown[] = [numbers];
  const seen = rowsSeen(view, accountAmong(values, caller.accountId));
  const isSeen = (image: string) =>
    `exists (select from ${rowOf(table.name, image)} where ${image} is not null and ${seen})`;
  const query = `select n::float8 as n, op, id, at,
       ${isSeen("_image.before")} as "wasSeen",
       ${isSeen("_image.after")} as "isSeen",
       _image.after is null as "isGone",
       ${changedColumns("_image.before", "_image.after")} as columns,
       ${changedColumns("null::jsonb", "_image.after")} as "filled",
       (
         select case when octet_length(json) <= ${maxRecordBytes} then json end
         from (
           select ${view.record} as json
           from ${rowOf(table.name, "_image.after")}
           where _image.after is not null
         ) as _shown
       ) as record
     from ${withImages(table.name, "select unnest($1::bigint[])")} as _image
     order by n`;
  const read = (of: readonly number[]) => tx.query<Row>(query, [of, ...values.slice(1)]);
  const first = await read(numbers);
  const gone = first.filter(isUnknown).map(({ n }) => n);
  const again = gone.length === 0 ? [] : await readNumbered(services, () => read(gone));
  const rows = first.map((row) => again.find(({ n }) => n === row.n) ?? row);
  const fields = { keys: fieldKeys(view.columns), keyOf: keysOfColumns(view.columns) };
  return rows.flatMap((row) => {
    if (isUnknown(row)) return view.own === undefined ? (goneChange(row) ?? []) : [];
    return seenChange(row, fields) ?? [];
  });
}

/** A policy that fails must not keep others from what they are to be told. */
async function mayList(
  services: Services,
  caller: Caller,
  table: ResourceDefinition["table"],
): Promise<boolean> {
  try {
    return await isAllowedBy({ services, caller }, table, "list");
  } catch (err) {
    services.log.error({ err, resource: table.resource }, "A policy failed: a webhook is not told");
    return false;
  }
}

/** Whether the record was deleted meanwhile, by a change that is not numbered yet. */
function isUnknown({ isGone, op }: Row): boolean {
  return isGone && op !== "delete";
}

/** The same, once what is committed is numbered: then the log knows what such a record was. */
async function readNumbered<T>({ db }: Services, read: () => Promise<T>): Promise<T> {
  await sequenceChanges(db);
  return read();
}

/** Of one that is still unknown, because its table was emptied, no more is told than that it was there. */
function goneChange({ n, id, at, op }: Row): SeenChange | null {
  return op === "create" ? { n, id, at, action: "created", record: null, changed: [] } : null;
}

/** The fields that are shown, in their order. */
interface Fields {
  readonly keys: readonly string[];
  readonly keyOf: (column: string) => string | null;
}

function seenChange(
  { n, id, at, wasSeen, isSeen, columns, filled, record }: Row,
  fields: Fields,
): SeenChange | null {
  const seen = { n, id, at };
  if (!isSeen) return wasSeen ? { ...seen, action: "deleted", record: null, changed: null } : null;
  const differing = new Set((wasSeen ? columns : filled).map(fields.keyOf));
  const changed = fields.keys.filter((key) => differing.has(key));
  if (!wasSeen) return { ...seen, action: "created", record, changed };
  return changed.length === 0 ? null : { ...seen, action: "updated", record, changed };
}
