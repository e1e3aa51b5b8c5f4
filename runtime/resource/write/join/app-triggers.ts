import type { Access, Database, Queryable } from "../../../db/index.js";
import type { Table } from "../../table/table.js";

export type WriteEvent = "insert" | "update" | "delete";

/** Bits of `tgtype` (`pg_trigger.h`) by kind of write. */
const bits: Readonly<Record<WriteEvent, number>> = { insert: 4, delete: 8, update: 16 };

/** Further bits of `tgtype`: for each row, and before. */
const beforeRow = 1 | 2;

/**
 * SQL for the name of an app trigger or rule that runs on such a write to the table; null if there is none. `table` is
 * SQL for its oid.
 *
 * A view may have triggers in its tables, a partitioned table in its partitions, a foreign table in another database,
 * an inherited table in its children.
 *
 * Triggers of foreign keys are internal, and functions of this package's triggers are in its schema. Disabled triggers
 * and those for replicas do not fire. `kinds` are additional bits that triggers must have.
 */
export function appTriggerSql(table: string, event: WriteEvent, kinds = 0): string {
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

interface Known {
  readonly hasOwn: boolean;
  /** In `performance.now()` milliseconds. */
  readonly until: number;
}

/**
 * Milliseconds for which the existence of a trigger is cached, so writes stay separate even if it is dropped. A lookup
 * takes 0.05 ms, so two per second do not matter. The absence of triggers is cached until a statement is refused,
 * because each one checks it (`insertSeveral`).
 */
const heldMs = 500;

const known = new WeakMap<Database, Map<string, Known>>();

export interface Stored {
  readonly table: Table<never>;
  readonly event: WriteEvent;
}

/** Whether writes of this kind run app triggers or rules of the table. */
export async function hasAppTriggers(
  db: Database,
  { query }: Queryable,
  stored: Stored,
): Promise<boolean> {
  const before = knownOf(db, stored);
  if (before !== null) return before;
  const [row] = await query<{ hasOwn: boolean }>(looks[stored.event], [stored.table.name]);
  return note(db, stored, row);
}

function lookSql(event: WriteEvent, kinds = 0): string {
  return `select ${appTriggerSql("$1::text::regclass", event, kinds)} is not null as "hasOwn"`;
}

const looks: Readonly<Record<WriteEvent, string>> = {
  insert: lookSql("insert"),
  update: lookSql("update"),
  delete: lookSql("delete"),
};

/** Whether an app trigger or rule may drop rows before they are written. */
export async function mayDropRows(
  { query }: Queryable,
  { table, event }: Stored,
): Promise<boolean> {
  const [row] = await query<{ hasOwn: boolean }>(lookSql(event, beforeRow), [table.name]);
  return row?.hasOwn ?? false;
}

/**
 * Whether writes of this kind are known to run no app trigger or rule; if unknown, starts a lookup and returns false.
 */
export function isFreeOfTriggers(
  db: Database,
  { read }: Pick<Access, "read">,
  stored: Stored,
): boolean {
  const before = knownOf(db, stored);
  if (before !== null) return !before;
  // Assumed until the lookup ends; if the lookup fails, it is repeated after this entry expires.
  note(db, stored, { hasOwn: true });
  const look = { text: looks[stored.event], values: [stored.table.name], cost: "key" } as const;
  void read<{ hasOwn: boolean }>(look).then(
    ([row]) => note(db, stored, row),
    () => forgetTriggers(db, stored),
  );
  return false;
}

/** Clears the cached result after a statement was refused, perhaps because of a trigger. */
export function forgetTriggers(db: Database, stored: Stored): void {
  known.get(db.of(null))?.delete(keyOf(stored));
}

/** Returns null if unknown. */
function knownOf(db: Database, stored: Stored): boolean | null {
  const one = known.get(db.of(null))?.get(keyOf(stored));
  return one === undefined || performance.now() >= one.until ? null : one.hasOwn;
}

function note(
  db: Database,
  stored: Stored,
  { hasOwn }: Pick<Known, "hasOwn"> = { hasOwn: true },
): boolean {
  const whole = db.of(null);
  const tables = known.get(whole) ?? new Map<string, Known>();
  const until = hasOwn ? performance.now() + heldMs : Number.POSITIVE_INFINITY;
  known.set(whole, tables.set(keyOf(stored), { hasOwn, until }));
  return hasOwn;
}

function keyOf({ table, event }: Stored): string {
  return `${event} ${table.resource}`;
}
