import type { Access, Database, Queryable } from "../../../db/index.js";
import type { Table } from "../../table/table.js";

/**
 * SQL that names something of the app's own that runs when rows are inserted into the table: a trigger, or a rule.
 * What is no ordinary table may have more of them elsewhere: a view in its tables, a partitioned table in its
 * partitions, a foreign table in another database. Null where there is nothing. `table` is SQL for its oid.
 *
 * The triggers of foreign keys are internal, and those of the package have their functions in its schema. In `tgtype`, 4
 * stands for inserts. A trigger that is disabled, or for replicas, does not fire.
 */
export function ownTriggerSql(table: string): string {
  return `(
      select 'trigger ' || tgname
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where tgrelid = ${table} and not tgisinternal and tgtype & 4 <> 0 and tgenabled in ('O', 'A')
        and pronamespace <> 'service'::regnamespace
      union all
      select 'rule ' || rulename from pg_rewrite where ev_class = ${table}
      union all
      select 'kind ' || relkind::text from pg_class where oid = ${table} and relkind <> 'r'
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
 * twentieth of a millisecond. That there is none holds until a statement is refused, as each checks it (`insertSeveral`).
 */
const heldMs = 500;

const known = new WeakMap<Database, Map<string, Known>>();

/** Whether inserts into the table run something of the app's own. */
export async function hasOwnTriggers(
  db: Database,
  { query }: Queryable,
  { name, resource }: Table<never>,
): Promise<boolean> {
  const before = knownOf(db, resource);
  if (before !== null) return before;
  const [row] = await query<{ hasOwn: boolean }>(look, [name]);
  return note(db, resource, row?.hasOwn ?? true);
}

const look = `select ${ownTriggerSql("$1::text::regclass")} is not null as "hasOwn"`;

/** Whether it is known that inserts into the table run nothing of the app's own; if not, that is looked up meanwhile. */
export function isFreeOfTriggers(
  db: Database,
  { lookUp }: Pick<Access, "lookUp">,
  table: Table<never>,
): boolean {
  const before = knownOf(db, table.resource);
  if (before !== null) return !before;
  // Until the answer comes; where none comes, it is asked for again when this is forgotten.
  note(db, table.resource, true);
  void lookUp<{ hasOwn: boolean }>(look, [table.name]).then(
    ([row]) => note(db, table.resource, row?.hasOwn ?? true),
    () => forgetTriggers(db, table),
  );
  return false;
}

/** Has it looked up again: a statement was refused, maybe because of a trigger. */
export function forgetTriggers(db: Database, { resource }: Table<never>): void {
  known.get(db)?.delete(resource);
}

/** Null where it has to be looked up. */
function knownOf(db: Database, resource: string): boolean | null {
  const one = known.get(db)?.get(resource);
  return one === undefined || performance.now() >= one.until ? null : one.hasOwn;
}

function note(db: Database, resource: string, hasOwn: boolean): boolean {
  const tables = known.get(db) ?? new Map<string, Known>();
  const until = hasOwn ? performance.now() + heldMs : Number.POSITIVE_INFINITY;
  known.set(db, tables.set(resource, { hasOwn, until }));
  return hasOwn;
}
