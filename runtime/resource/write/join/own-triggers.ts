import type { Access, Database, Queryable } from "../../../db/index.js";
import type { Table } from "../../table/table.js";

/** What a statement does to rows. */
export type WriteEvent = "insert" | "update" | "delete";

/** In `tgtype`, as `pg_trigger.h` has them. */
const bits: Readonly<Record<WriteEvent, number>> = { insert: 4, delete: 8, update: 16 };

/** In `tgtype` too: before each row. */
const beforeRow = 1 | 2;

/**
 * SQL that names something of the app's own that runs when rows of the table are inserted, or updated: a trigger, or a
 * rule. What is no ordinary table may have more of them elsewhere: a view in its tables, a partitioned table in its
 * partitions, a foreign table in another database; the rows of a table that others inherit from may be in those. Null
 * where there is nothing. `table` is SQL for its oid.
 *
 * The triggers of foreign keys are internal, and those of the package have their functions in its schema. A trigger that
 * is disabled, or for replicas, does not fire. `kinds` are further bits that triggers must have.
 */
export function ownTriggerSql(table: string, event: WriteEvent, kinds = 0): string {
  return `(
      select 'trigger ' || tgname
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where tgrelid = ${table} and not tgisinternal and tgtype & ${bits[event]} <> 0
        and tgtype & ${kinds} = ${kinds} and tgenabled in ('O', 'A')
        and pronamespace <> 'service'::regnamespace
      union all
      select 'rule ' || rulename from pg_rewrite where ev_class = ${table}
      union all
      select 'kind ' || relkind::text
      from pg_class where oid = ${table} and (relkind <> 'r' or relhassubclass)
      limit 1
    )`;
}

/** What is known of one table. */
interface Known {
  readonly hasOwn: boolean;
  /** By the clock of `performance.now()`. */
  readonly until: number;
}

/**
 * Milliseconds for which a trigger that was found keeps records apart, also when it is dropped meanwhile: a look costs a
 * twentieth of a millisecond, which two a second do not show. That there is none holds until a statement is refused, as
 * each checks it (`insertSeveral`).
 */
const heldMs = 500;

const known = new WeakMap<Database, Map<string, Known>>();

/** What is written, and how. */
export interface Stored {
  readonly table: Table<never>;
  readonly event: WriteEvent;
}

/** Whether such writes of the table run something of the app's own. */
export async function hasOwnTriggers(
  db: Database,
  { query }: Queryable,
  stored: Stored,
): Promise<boolean> {
  const before = knownOf(db, stored);
  if (before !== null) return before;
  const [row] = await query<{ hasOwn: boolean }>(looks[stored.event], [stored.table.name]);
  return note(db, stored, row?.hasOwn ?? true);
}

function lookSql(event: WriteEvent, kinds = 0): string {
  return `select ${ownTriggerSql("$1::text::regclass", event, kinds)} is not null as "hasOwn"`;
}

const looks: Readonly<Record<WriteEvent, string>> = {
  insert: lookSql("insert"),
  update: lookSql("update"),
  delete: lookSql("delete"),
};

/** Whether something of the app's own may drop rows before they are written. */
export async function mayDropRows(
  { query }: Queryable,
  { table, event }: Stored,
): Promise<boolean> {
  const [row] = await query<{ hasOwn: boolean }>(lookSql(event, beforeRow), [table.name]);
  return row?.hasOwn ?? false;
}

/** Whether it is known that such writes run nothing of the app's own; if not, that is looked up meanwhile. */
export function isFreeOfTriggers(
  db: Database,
  { read }: Pick<Access, "read">,
  stored: Stored,
): boolean {
  const before = knownOf(db, stored);
  if (before !== null) return !before;
  // Until the answer comes; where none comes, it is asked for again when this is forgotten.
  note(db, stored, true);
  const look = { text: looks[stored.event], values: [stored.table.name], cost: "key" } as const;
  void read<{ hasOwn: boolean }>(look).then(
    ([row]) => note(db, stored, row?.hasOwn ?? true),
    () => forgetTriggers(db, stored),
  );
  return false;
}

/** Has it looked up again: a statement was refused, maybe because of a trigger. */
export function forgetTriggers(db: Database, stored: Stored): void {
  known.get(db.of(null))?.delete(keyOf(stored));
}

/** Null where it has to be looked up. */
function knownOf(db: Database, stored: Stored): boolean | null {
  const one = known.get(db.of(null))?.get(keyOf(stored));
  return one === undefined || performance.now() >= one.until ? null : one.hasOwn;
}

function note(db: Database, stored: Stored, hasOwn: boolean): boolean {
  const whole = db.of(null);
  const tables = known.get(whole) ?? new Map<string, Known>();
  const until = hasOwn ? performance.now() + heldMs : Number.POSITIVE_INFINITY;
  known.set(whole, tables.set(keyOf(stored), { hasOwn, until }));
  return hasOwn;
}

function keyOf({ table, event }: Stored): string {
  return `${event} ${table.resource}`;
}
