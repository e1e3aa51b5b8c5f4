import type { Queryable } from "../../db/index.js";

/**
 * Drops the foreign keys of tables, and those of other tables to them, and disables the tables' triggers. Rows can then
 * be inserted in any order and are counted once. The returned function restores both in the same transaction. Unlike
 * `session_replication_role`, this only requires owning the tables.
 */
export async function suspendRules(
  db: Queryable,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const keys = await db.query<Suspended>(foreignKeys, [tables]);
  const triggers = await db.query<Suspended>(enabledTriggers, [tables]);
  for (const { before } of [...keys, ...triggers]) await db.query(before);
  return async () => {
    // Each key is checked against all rows when it is recreated.
    for (const { after } of [...keys, ...triggers]) await db.query(after);
  };
}

/** A statement, and the statement that undoes it. */
interface Suspended {
  readonly before: string;
  readonly after: string;
}

const foreignKeys = `
  select
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as before,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as after
  from pg_constraint
  where contype = 'f' and conparentid = 0
    and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($1::text[]::regclass[]))
  order by conrelid, conname`;

const enabledTriggers = `
  select
    format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as before,
    format(
      'alter table %s enable %s trigger %I',
      tgrelid::regclass, case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname
    ) as after
  from pg_trigger
  where not tgisinternal and tgenabled <> 'D' and tgrelid = any ($1::text[]::regclass[])
  order by tgrelid, tgname`;
