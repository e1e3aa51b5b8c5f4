import type pg from "pg";

/**
 * Turns a copy of an emitted schema into what a careful engineer writes by hand: tables with their
 * constraints, unique indexes, an index for each foreign key and one for the order of the list. What
 * only the generator adds goes, so that the references do not pay for its upkeep: triggers and their
 * functions, tallies, search indexes and any other index.
 */
export async function keepHandWritten(db: pg.Client): Promise<void> {
  for (const text of extras) {
    const { rows } = await db.query<{ statement: string }>(text);
    for (const { statement } of rows) await db.query(statement);
  }
}

const extras = [
  // Foreign keys are kept by triggers too, but by internal ones.
  `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
   from pg_trigger
   join pg_class on pg_class.oid = tgrelid
   where relnamespace = 'public'::regnamespace
     and not tgisinternal`,
  `select format('drop table %s cascade', oid::regclass) as statement
   from pg_class
   where relnamespace = 'service'::regnamespace
     and relkind = 'r'
     and relname like '%\\_\\_tally'`,
  `select format('drop index %s', indexrelid::regclass) as statement
   from pg_index
   join pg_class on pg_class.oid = indexrelid
   join pg_am on pg_am.oid = relam
   where relnamespace = 'public'::regnamespace
     and not indisunique
     and not (
       amname = 'btree' and indpred is null and indexprs is null and (
         pg_get_indexdef(indexrelid) like '%(created_at DESC, id DESC)'
         or indnkeyatts = 1 and exists (
           select from pg_constraint
           where contype = 'f' and conrelid = indrelid and conkey[1] = indkey[0]
         )
       )
     )`,
  `select format('create index on %s (%I)', conrelid::regclass, attname) as statement
   from pg_constraint
   join pg_attribute on attrelid = conrelid and attnum = conkey[1]
   where contype = 'f'
     and connamespace = 'public'::regnamespace
     and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`,
  // Those of an extension belong to it. An index may call one, so they go last.
  `select format('drop routine %s cascade', oid::regprocedure) as statement
   from pg_proc
   where pronamespace in ('public'::regnamespace, 'service'::regnamespace)
     and prorettype = 'trigger'::regtype
     and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
];
