import type { Queryable } from "../../db/index.js";

/** Stores the names of the app's jobs, for `service doctor`. */
export async function storeNames(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query(
    `insert into service.job_names (name)
     select unnest($1::text[])
     on conflict (name) do update set seen_at = now()`,
    [names],
  );
}

/** Waiting jobs of a name for which the app no longer has code. */
export interface Orphans {
  readonly name: string;
  readonly waiting: number;
}

/** Finds names with waiting jobs that the most recently started process does not know. */
export function findOrphans(db: Queryable): Promise<readonly Orphans[]> {
  return db.query<Orphans>(
    `select name, count(*)::int as waiting
     from service.jobs
     where state = 'waiting'
       and name not in (
         select name
         from service.job_names
         where seen_at >= (select max(seen_at) from service.job_names) - interval '1 second'
       )
     group by name
     order by name`,
  );
}
