import type { Queryable } from "../../db/index.js";
import { Refusal } from "../../errors/index.js";
import type { Actor, Known, Reads, Version } from "../../own-code/index.js";
import { contentTag } from "../../values/api/content-tag.js";
import { idEquals, idFormOf, timeColumn } from "../table/column-keys.js";
import { allMembers, recordOf } from "../table/record-json.js";
import { columnOf, type Table } from "../table/table.js";

/** Seconds for `Retry-After`. */
const retryAfter = 2;

/** Refuses a write of app code to a record that another transaction has changed since the code read it. */
export class Overtaken extends Refusal {
  constructor() {
    super("UNAVAILABLE", { retryAfter });
  }
}

/** Creates empty reads, nested in `outer`. */
export function newReads({ outer, isLocking }: Pick<Reads, "outer" | "isLocking">): Reads {
  return {
    outer,
    isLocking,
    known: new Map(),
    updating: new Set(),
    hasWritten: false,
    lost: null,
  };
}

/** Clears the reads, because the code starts over. */
export function forgetReads(reads: Reads): void {
  reads.known.clear();
  reads.updating.clear();
  reads.hasWritten = false;
  reads.lost = null;
}

/** Throws the error stored in `lost`, if there is one: app code may have caught it. */
export function throwLost(reads: Reads | undefined): void {
  if (reads !== undefined && reads.lost !== null) throw reads.lost;
}

/** Passes the code's locks to the enclosing code. */
export function handOver({ outer, known, hasWritten }: Reads): void {
  if (outer === null) return;
  outer.hasWritten ||= hasWritten;
  for (const [key, state] of known) {
    if (state === "held" && isReadBy(outer, key))
      outer.known.set(key, heldUnlessOvertaken(outer, key));
  }
}

function heldUnlessOvertaken({ known }: Reads, key: string): Known {
  return known.get(key) === "overtaken" ? "overtaken" : "held";
}

/** A record, identified by table and id. */
export interface Named {
  readonly table: Table<never>;
  readonly id: string;
}

function keyOf({ table, id }: Named): string {
  return `${table.resource} ${idFormOf(table).usual(id)}`;
}

/** The maximum number of tracked records: 20 MB. */
const maxKnown = 100_000;

/** The version of a record that was read with these fields, some of which may be truncated: `description:200`. */
export function versionOf(
  table: Table<never>,
  record: Values,
  fields: readonly string[] = [],
): Version {
  if (timeColumn(table, "updatedAt").missing === undefined)
    return { text: String(record.updatedAt) };
  const cut = new Set(fields.flatMap((name) => (name.includes(":") ? name.split(":")[0] : [])));
  const keys = Object.keys(record).filter((key) => columnOf(table, key) !== null && !cut.has(key));
  return { text: digestOf(record, keys), keys };
}

type Values = Readonly<Record<string, unknown>>;

function digestOf(record: Values, keys: readonly string[]): string {
  return contentTag(JSON.stringify(keys.map((key) => record[key] ?? null)));
}

/** Records that the code has read a record, with its version. */
export function noteRead({ known }: Reads, record: Named, version: Version): void {
  const key = keyOf(record);
  if (known.get(key) === "held") return;
  if (known.size >= maxKnown) {
    throw new Error(
      `A transaction can read ${maxKnown} records with resources: use db, or several transactions`,
    );
  }
  known.set(key, version);
}

/** Locks a record that the code is about to read, against changes until the transaction ends. */
export async function holdRecord(reads: Reads, db: Queryable, record: Named): Promise<void> {
  await lockRead(reads, db, record);
  reads.known.set(keyOf(record), "held");
}

/** Marks a record whose `update` is waiting for its function, which must not write the record. */
export async function whileUpdating<T>(
  { updating }: Reads,
  record: Named,
  work: () => Promise<T>,
): Promise<T> {
  const key = keyOf(record);
  updating.add(key);
  try {
    return await work();
  } finally {
    updating.delete(key);
  }
}

/**
 * Must be called before the code writes a record: locks the record if the code has read it.
 *
 * @throws {Overtaken} if another transaction has changed it since.
 */
export async function checkRead(
  { reads }: Actor,
  db: Queryable,
  write: Written | Created,
): Promise<void> {
  if (reads === undefined || write.kind === "create") return;
  const key = keyOf(write);
  if (layersOf(reads).some(({ updating }) => updating.has(key))) {
    throw new Error(`The function of an update of ${write.table.resource} writes the same record`);
  }
  if (!isReadBy(reads, key)) return;
  await lockRead(reads, db, write);
  if (reads.known.get(key) !== "overtaken") return;
  reads.lost ??= new Overtaken();
  throw reads.lost;
}

interface Written extends Named {
  readonly kind: "update" | "replace" | "delete" | "restore";
}

/** A record that does not exist yet; its id is null if the database generates it. */
interface Created {
  readonly kind: "create";
  readonly id: string | null;
}

/** Must be called after the code has written a record, which stays locked from then on. */
export function noteWritten({ reads }: Actor, write: Named): void {
  if (reads === undefined) return;
  reads.hasWritten = true;
  const key = keyOf(write);
  if (isReadBy(reads, key)) reads.known.set(key, heldUnlessOvertaken(reads, key));
}

/** Whether the code, or enclosing code, has read the record. */
function isReadBy(reads: Reads, key: string): boolean {
  for (let one: Reads | null = reads; one !== null; one = one.outer) {
    if (one.known.has(key)) return true;
  }
  return false;
}

/** The reads of app code, then those of all enclosing code. */
function layersOf(reads: Reads): readonly Reads[] {
  return reads.outer === null ? [reads] : [reads, ...layersOf(reads.outer)];
}

/** Locks the record. Marks it as overtaken for all code that read it before another transaction changed it. */
async function lockRead(
  reads: Reads,
  db: Queryable,
  record: Named & Partial<Pick<Written, "kind">>,
): Promise<void> {
  const strength = record.kind === "delete" ? "update" : "no key update";
  const key = keyOf(record);
  if (reads.known.get(key) === "held") return;
  const row = await lockedRow(db, record, strength);
  const overtaken = layersOf(reads).filter(({ known, isLocking }) => {
    const state = known.get(key);
    if (typeof state !== "object") return false;
    // A missing record may have been deleted by the code itself, so the code is retried only once.
    return row === undefined ? !isLocking : isChanged(state, row);
  });
  if (overtaken.length === 0) return;
  if (row !== undefined && (await isChangedHere(db, record))) return;
  for (const { known } of overtaken) known.set(key, "overtaken");
}

interface LockedRow {
  /** Null if the table has no such column. */
  readonly updatedAt: string | null;
  /** The whole record; null in a table with an `updatedAt`. */
  readonly json: string | null;
}

async function lockedRow(
  db: Queryable,
  { table, id }: Named,
  strength: string,
): Promise<LockedRow | undefined> {
  const { name } = table;
  const updatedAt = timeColumn(table, "updatedAt");
  const record = updatedAt.missing === true ? recordOf(allMembers(table)) : "null";
  const [row] = await db.query<LockedRow>(
    `select service.iso_time(${updatedAt.name}) as "updatedAt", ${record} as json
     from ${name} where ${idEquals(table, "$1")} for ${strength}`,
    [id],
  );
  return row;
}

function isChanged({ text, keys }: Version, { updatedAt, json }: LockedRow): boolean {
  if (keys === undefined) return text !== updatedAt;
  return text !== digestOf(JSON.parse(json ?? "{}"), keys);
}

/**
 * Whether this transaction wrote the locked row, by SQL or a trigger. The status of a transaction requires its full id:
 * the row has only the lower half, and the full id is near the next one.
 */
async function isChangedHere(db: Queryable, { table, id }: Named): Promise<boolean> {
  const [row] = await db.query<{ here: boolean }>(
    `select pg_xact_status(
       (next + ((xmin::text::bigint - next + 2147483648) & 4294967295) - 2147483648)::text::xid8
     ) = 'in progress' as here
     from ${table.name}, (
       select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
     ) as _snapshot
     where ${idEquals(table, "$1")}`,
    [id],
  );
  return row?.here ?? false;
}
