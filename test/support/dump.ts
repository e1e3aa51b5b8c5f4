import pg from "pg";

/** The tables of a database as sorted lines: what two databases of one schema have in common. */
export async function dump(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`
      select format('column %s.%s %s %s %s %s', attrelid::regclass, attname,
        format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation,
        pg_get_expr(adbin, adrelid)) as line
      from pg_attribute
      join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relnamespace in ('public'::regnamespace, 'service'::regnamespace)
        and relkind in ('r', 'S') and attnum > 0 and not attisdropped
      union all
      select format('constraint %s %s %s %s', conrelid::regclass,
        -- Where names are cut alike, a tally's are numbered in the order of its columns.
        case when connamespace = 'public'::regnamespace or contype <> 'n' then conname end,
        convalidated, pg_get_constraintdef(oid))
      from pg_constraint
      where connamespace in ('public'::regnamespace, 'service'::regnamespace)
      union all
      select format('index %s %s', indisvalid, pg_get_indexdef(indexrelid))
      from pg_index
      join pg_class on pg_class.oid = indexrelid
      where relnamespace in ('public'::regnamespace, 'service'::regnamespace)
      union all
      select format('trigger %s %s %s', tgrelid::regclass, tgenabled, pg_get_triggerdef(oid))
      from pg_trigger
      where not tgisinternal
      union all
      select format('function %s', pg_get_functiondef(pg_proc.oid))
      from pg_proc
      where pronamespace in ('public'::regnamespace, 'service'::regnamespace)
        and prokind <> 'a'
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all
      select format('relation %s %s', relkind, pg_class.oid::regclass) from pg_class
      where relnamespace in ('public'::regnamespace, 'service'::regnamespace)
      union all
      select format('tally %s', tallies) from service.tallies
      union all
      select format('search %s', search_indexes) from service.search_indexes`);
    return rows.map(({ line }) => line).toSorted();
  } finally {
    await client.end();
  }
}
