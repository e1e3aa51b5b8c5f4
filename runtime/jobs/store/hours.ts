import type { Queryable } from "../../db/index.js";

/** Numbers of completed attempts. `failed` counts every outcome except `done`. */
export interface TryCounts {
  readonly done: number;
  readonly failed: number;
}

/** The counts of the hour that begins at `at`. */
export interface HourCounts extends TryCounts {
  readonly at: Date;
}

/** Adds completed attempts to the counts of the current hour. */
export async function addToHour(db: Queryable, { done, failed }: TryCounts): Promise<void> {
  await db.query(
    `insert into service.job_hours as stored (hour, done, failed)
     values (date_trunc('hour', now(), 'UTC'), $1, $2)
     on conflict (hour) do update
     set done = stored.done + excluded.done, failed = stored.failed + excluded.failed`,
    [done, failed],
  );
}

/** The counts of the last 24 hours, oldest first; the last hour is incomplete. */
export function readHours(db: Queryable): Promise<readonly HourCounts[]> {
  return db.query<HourCounts>(
    `select hour as at, coalesce(done, 0)::float8 as done, coalesce(failed, 0)::float8 as failed
     from generate_series(
       date_trunc('hour', now(), 'UTC') - interval '23 hours',
       date_trunc('hour', now(), 'UTC'),
       interval '1 hour'
     ) as day (hour)
     left join service.job_hours using (hour)
     order by hour`,
  );
}

/** Deletes the counts of hours that are no longer shown. */
export async function deleteOldHours(db: Queryable): Promise<void> {
  await db.query("delete from service.job_hours where hour < now() - interval '2 days'");
}
