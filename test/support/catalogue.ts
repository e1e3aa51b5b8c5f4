import type pg from "pg";

/** What there is in the schemas `public` and `service`, without when it was made and in what order. */
export async function catalogueOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `with tables as (
       select oid, oid::regclass::text as name
       from pg_class
       where relnamespace in ('public'::regnamespace, 'service'::regnamespace) and relkind = 'r'
     )
     select format(
       'column %s.%s %s %s %s', name, attname, format_type(atttypid, atttypmod),
       attnotnull, pg_get_expr(adbin, adrelid)
     ) as line
     from tables
     join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     union all
     select format(
       'constraint %s.%s %s %s', name, conname, pg_get_constraintdef(pg_constraint.oid), convalidated
     )
     from tables join pg_constraint on conrelid = tables.oid
     union all
     select format('index %s %s', pg_get_indexdef(indexrelid), indisvalid)
     from tables join pg_index on indrelid = tables.oid
     union all
     select format('trigger %s', pg_get_triggerdef(pg_trigger.oid))
     from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
     union all
     select format('function %s %s', oid::regprocedure, md5(prosrc))
     from pg_proc
     where pronamespace in ('public'::regnamespace, 'service'::regnamespace)
     order by line`,
  );
  return rows.map(({ line }) => line);
}
