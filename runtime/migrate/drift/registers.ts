import type { Queryable } from "../../db/index.js";
import type { Fact } from "./facts.js";

/** Reads facts from the package's registers: counted values and searched columns. */
export async function readRegisters(db: Queryable): Promise<readonly Fact[]> {
  const [found] = await db.query<{ complete: boolean }>(
    `select to_regclass('service.tallies') is not null
       and to_regclass('service.search_indexes') is not null as complete`,
  );
  return found?.complete ? db.query<Fact>(registersSql) : [];
}

const registersSql = `
  select
    table_name as "table",
    'tally' as object,
    tally_name as name,
    counts::text || coalesce(
      ', WITHOUT ' || (
        select string_agg(number, ', ' order by number)
        from (
          select 'total' as number
          union all
          -- Those by owner are rows of another table.
          select key from jsonb_each(counts) where value ->> 1 is not null
        ) as numbers
        where not exists (
          select
          from pg_attribute
          where attrelid = to_regclass(format('service.%I', tally_name))
            and attname = number
            and not attisdropped
        )
      ),
      ''
    ) as definition
  from service.tallies
  union all
  select table_name, 'search', index_name, array_to_string(columns, ', ')
  from service.search_indexes`;
