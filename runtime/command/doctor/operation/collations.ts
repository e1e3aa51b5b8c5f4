import type { Access } from "../../../db/index.js";
import type { Finding } from "../../report.js";
import { warning } from "../finding.js";

interface Outdated {
  readonly name: string;
  readonly recorded: string;
  readonly actual: string;
  readonly indexes: readonly string[];
  /** The statement that records the current version. */
  readonly refresh: string;
}

/**
 * Finds collations of the app's indexes whose version differs from the one with which they were built. After an upgrade
 * of the operating system their order may have changed, so that searches miss rows and unique values repeat.
 */
export async function checkCollations(db: Pick<Access, "query">): Promise<readonly Finding[]> {
  const found = await db.query<Outdated>(
    `with used as (
       select collated.oid, array_agg(distinct pg_index.indexrelid::regclass::text) as indexes
       from pg_index
       join pg_class on pg_class.oid = pg_index.indrelid
       cross join unnest(pg_index.indcollation::oid[]) as collated (oid)
       where pg_class.relnamespace in ('service'::regnamespace, current_schema()::text::regnamespace)
       group by collated.oid
     ), versions as (
       select used.indexes, collname as name, collversion as recorded,
         pg_collation_actual_version(used.oid) as actual,
         format('alter collation %s refresh version', used.oid::regcollation) as refresh
       from used
       join pg_collation on pg_collation.oid = used.oid and collname <> 'default'
       union all
       select used.indexes, 'default', datcollversion,
         pg_database_collation_actual_version(pg_database.oid),
         format('alter database %I refresh collation version', datname)
       from used
       join pg_collation on pg_collation.oid = used.oid and collname = 'default'
       join pg_database on datname = current_database()
     )
     select * from versions where recorded <> actual order by name`,
  );
  return found.map(({ name, recorded, actual, indexes, refresh }) =>
    warning(
      "collations",
      `the collation ${name} had the version ${recorded} when indexes were built, and has ${actual}: ${indexes.join(", ")} may be in the wrong order`,
      `run: npx service db psql -c 'reindex database concurrently' and npx service db psql -c '${refresh}'`,
    ),
  );
}
