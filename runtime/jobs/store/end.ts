import { type Queryable, uniqueViolation } from "../../db/index.js";
import type { ClaimedJob, HeldJob } from "../job/definition.js";

// Each statement compares the claim as well as the id, and so skips jobs that another process has taken over.

/** Deletes completed jobs; resolves with the ids of those that this process still held. */
export async function deleteDone(
  db: Queryable,
  jobs: readonly HeldJob[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `delete from service.jobs
     using unnest($1::uuid[], $2::uuid[]) as held (id, claim)
     where jobs.id = held.id and jobs.claim = held.claim
     returning jobs.id`,
    columnsOf(jobs),
  );
  return new Set(rows.map(({ id }) => id));
}

/** What is stored about a failed attempt. */
export interface FailedTry {
  readonly error: string;
  /** Null for PostgreSQL's time. */
  readonly now: Date | null;
}

/** Marks a job as failed and keeps it for operators to inspect. */
export async function keepFailed(
  db: Queryable,
  { id, claim }: HeldJob,
  { error, now }: FailedTry,
): Promise<void> {
  await db.query(
    `with failed as (
       update service.jobs
       set state = 'failed',
           claim = null,
           leased_until = null,
           failed_at = coalesce($4::timestamptz, now()),
           error = $3
       where id = $1 and claim = $2
       returning id, schedule
     )
     update service.schedules
     set last_failed = true
     from failed
     where schedules.name = failed.schedule and schedules.last_job = failed.id`,
    [id, claim, error, now],
  );
}

/** Schedules a retry of a job after the given number of seconds. */
export function tryLater(
  db: Queryable,
  { id, claim }: HeldJob,
  { error, now, seconds }: FailedTry & { readonly seconds: number },
): Promise<void> {
  return unlessFollowed(async () => {
    await db.query(
      `with ${giveWay("select id, name, key from service.jobs where id = $1 and claim = $2")}
       update service.jobs
       set state = 'waiting',
           claim = null,
           leased_until = null,
           due_at = coalesce($4::timestamptz, now()) + $5 * interval '1 second',
           error = $3
       where id = $1 and claim = $2 and id not in (select id from gone)`,
      [id, claim, error, now, seconds],
    );
  });
}

/** Releases jobs that this process stops running, in their previous order. The attempt is not counted. */
export function giveBack(db: Queryable, jobs: readonly HeldJob[]): Promise<void> {
  return unlessFollowed(async () => {
    const held = `
      select jobs.id, name, key
      from service.jobs
      join unnest($1::uuid[], $2::uuid[]) as held (id, claim)
        on held.id = jobs.id and held.claim = jobs.claim`;
    await db.query(
      `with held as (${held}), ${giveWay("select * from held")}
       update service.jobs
       set state = 'waiting',
           claim = null,
           leased_until = null,
           started_at = null,
           attempt = attempt - 1
       where id in (select id from held) and id not in (select id from gone)`,
      columnsOf(jobs),
    );
  });
}

/** A job whose process died, or could not reach the database for longer than the lease. */
export type LostJob = Pick<ClaimedJob, "id" | "name" | "attempt"> & { readonly state: string };

/** Limit of lost jobs that one statement takes over. */
const mostLost = 1_000;

/**
 * Takes over jobs whose process has not renewed their leases. Those with no attempts left are marked as failed; the
 * others run before jobs that were due later.
 */
export async function takeLost(db: Queryable, error: string): Promise<readonly LostJob[]> {
  let lost: readonly LostJob[] = [];
  await unlessFollowed(async () => {
    lost = await db.query<LostJob>(
      `with held as (
         select id, name, key, attempt >= tries as is_last
         from service.jobs
         where state = 'running' and leased_until < now()
         limit ${mostLost}
         for update skip locked
       ), ${giveWay("select id, name, key from held where not is_last")},
       failed as (
         update service.schedules
         set last_failed = true
         where last_job in (select id from held where is_last)
       )
       update service.jobs
       set state = case when held.is_last then 'failed' else 'waiting' end,
           failed_at = case when held.is_last then now() end,
           claim = null,
           leased_until = null,
           error = $1
       from held
       where jobs.id = held.id and jobs.id not in (select id from gone)
       returning jobs.id, jobs.name, jobs.attempt, jobs.state`,
      [error],
    );
  });
  return lost;
}

/** Limit of jobs that one statement deletes, so that it is fast. */
const atOnce = 1_000;

/** Deletes jobs that failed more than thirty days ago. */
export async function deleteOldFailed(db: Queryable): Promise<void> {
  const deleted = await db.query(
    `delete from service.jobs
     where id in (
       select id
       from service.jobs
       where state = 'failed' and failed_at < now() - interval '30 days'
       limit ${atOnce}
     )
     returning id`,
  );
  if (deleted.length === atOnce) await deleteOldFailed(db);
}

/** SQL for jobs that return to waiting: deletes those that a newer waiting job with the same key replaces. */
function giveWay(jobs: string): string {
  return `gone as (
    delete from service.jobs
    using (${jobs}) as held
    where jobs.id = held.id
      and exists (
        select
        from service.jobs as next
        where next.state = 'waiting' and next.name = held.name and next.key = held.key
      )
    returning jobs.id
  )`;
}

/** Retries a statement if a job with the same key was added concurrently. */
async function unlessFollowed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (uniqueViolation(error) !== "jobs_waiting_key_idx") throw error;
    await work();
  }
}

function columnsOf(jobs: readonly HeldJob[]): readonly [readonly string[], readonly string[]] {
  return [jobs.map(({ id }) => id), jobs.map(({ claim }) => claim)];
}
