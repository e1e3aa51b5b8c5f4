import { v7 } from "uuid";
import type { Queryable } from "../../db/index.js";
import type { Schedule } from "../job/definition.js";

/** A schedule that is due; `now` is PostgreSQL's time or the given one. */
export interface DueSchedule {
  readonly name: string;
  readonly nextAt: Date;
  readonly now: Date;
}

/** Returns PostgreSQL's time, which is the same for all machines. */
export async function timeOf(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>("select now() as now");
  if (row === undefined) throw new Error("PostgreSQL did not return the time");
  return row.now;
}

/** A schedule and its next time. */
export interface NextTime {
  readonly schedule: Schedule;
  readonly next: Date;
}

/**
 * Seconds without a heartbeat after which a process counts as ended and its changes to schedules may be overwritten.
 */
const silentSeconds = 60;

/**
 * Stores new schedules and those whose expression or time zone has changed; the others keep their next time. Changes by
 * a running process of another release stay, unless this process has just started.
 */
export async function storeSchedules(
  db: Queryable,
  times: readonly NextTime[],
  { isStart }: { readonly isStart: boolean },
): Promise<void> {
  await db.query(
    `insert into service.schedules as stored (name, cron, timezone, next_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
     on conflict (name) do update
     set cron = excluded.cron,
         timezone = excluded.timezone,
         next_at = excluded.next_at,
         seen_at = now()
     where (stored.cron, stored.timezone) <> (excluded.cron, excluded.timezone)
       and ($5 or stored.seen_at < now() - interval '${silentSeconds} seconds')`,
    [...columnsOf(times.map(({ schedule }) => schedule)), times.map(({ next }) => next), isStart],
  );
}

/** Records a heartbeat for the schedules of a process; resolves with the names of those that must be stored again. */
export async function seeSchedules(
  db: Queryable,
  schedules: readonly Schedule[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(
    `with own as (
       select * from unnest($1::text[], $2::text[], $3::text[]) as own (name, cron, timezone)
     ), seen as (
       update service.schedules
       set seen_at = now()
       where name in (
         select name
         from service.schedules as stored
         join own using (name, cron, timezone)
         where seen_at < now() - interval '${silentSeconds / 4} seconds'
         for update of stored skip locked
       )
     )
     select own.name
     from own
     left join service.schedules as stored using (name)
     where stored.name is null
       or (
         (stored.cron, stored.timezone) <> (own.cron, own.timezone)
         and stored.seen_at < now() - interval '${silentSeconds} seconds'
       )`,
    columnsOf(schedules),
  );
  return new Set(rows.map(({ name }) => name));
}

/** Deletes the schedules not in `names`; with `unseenHours`, only those without a heartbeat for that long. */
export async function forgetSchedules(
  db: Queryable,
  names: readonly string[],
  { unseenHours = 0 } = {},
): Promise<void> {
  await db.query(
    `delete from service.schedules
     where name <> all ($1) and ($2 = 0 or seen_at < now() - $2 * interval '1 hour')`,
    [names, unseenHours],
  );
}

/** The given schedules that are due, except those that a more recently started process has changed. */
export function findDue(
  db: Queryable,
  schedules: readonly Schedule[],
  now: Date | null,
): Promise<readonly DueSchedule[]> {
  return db.query<DueSchedule>(
    `select name, next_at as "nextAt", coalesce($4::timestamptz, now()) as now
     from service.schedules
     join unnest($1::text[], $2::text[], $3::text[]) as own (name, cron, timezone)
       using (name, cron, timezone)
     where next_at <= coalesce($4::timestamptz, now())
     order by next_at`,
    [...columnsOf(schedules), now],
  );
}

/** The earliest next time of the schedules; null if there are none. */
export async function earliestTime(
  db: Queryable,
  schedules: readonly Schedule[],
): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    "select min(next_at) as at from service.schedules where name = any ($1)",
    [schedules.map(({ name }) => name)],
  );
  return row?.at ?? null;
}

/** How to advance a schedule that is due. */
export interface Moved {
  readonly schedule: Schedule;
  readonly tries: number;
  /** The next time as read from the database. */
  readonly from: Date;
  readonly to: Date;
  /** The time to run; null if it was missed and no job is added. */
  readonly run: Date | null;
}

/**
 * Advances a schedule and adds its job in one statement, so that only one process does both. Adds no job if the
 * previous one has not ended, unless they may overlap.
 */
export async function moveOn(db: Queryable, moved: Moved): Promise<void> {
  const { schedule, tries, from, to, run } = moved;
  await db.query(
    `with due as (
       select name, $4::timestamptz is not null and ($5 or not exists (${openJob})) as runs
       from service.schedules
       where name = $1 and next_at = $2
       for update
     ), moved as (
       update service.schedules
       set next_at = $3,
           last_at = case when runs then $4::timestamptz else last_at end,
           last_job = case when runs then $6::uuid else last_job end,
           last_failed = last_failed and not runs
       from due
       where schedules.name = due.name
       returning runs
     )
     insert into service.jobs (id, name, input, tries, due_at, scheduled_at, schedule)
     select $6, $7, $8, $9, $4, $4, $1
     from moved
     where runs`,
    [schedule.name, from, to, run, schedule.overlap, v7(), schedule.job, schedule.input, tries],
  );
}

/** Adds a job of a schedule now. Returns false if the previous one has not ended and they may not overlap. */
export async function runNow(
  db: Queryable,
  { schedule, next, tries }: NextTime & { readonly tries: number },
): Promise<boolean> {
  await storeSchedules(db, [{ schedule, next }], { isStart: false });
  const rows = await db.query(
    `with due as (
       select name
       from service.schedules
       where name = $1 and ($2 or not exists (${openJob}))
       for update
     ), moved as (
       update service.schedules
       set last_at = now(), last_job = $3::uuid, last_failed = false
       from due
       where schedules.name = due.name
       returning schedules.name
     )
     insert into service.jobs (id, name, input, tries, due_at, scheduled_at, schedule)
     select $3, $4, $5, $6, now(), now(), name
     from moved
     returning id`,
    [schedule.name, schedule.overlap, v7(), schedule.job, schedule.input, tries],
  );
  return rows.length > 0;
}

const openJob = `
  select
  from service.jobs
  where jobs.id = schedules.last_job and jobs.state in ('waiting', 'running')`;

/** The stored state of a schedule. */
export interface ScheduleState {
  readonly name: string;
  readonly nextAt: Date;
  readonly lastAt: Date | null;
  readonly lastState: "waiting" | "running" | "done" | "failed" | null;
}

export function readSchedules(
  db: Queryable,
  names: readonly string[],
): Promise<readonly ScheduleState[]> {
  return db.query<ScheduleState>(
    `select schedules.name, next_at as "nextAt", last_at as "lastAt",
       case
         when last_job is null then null
         when jobs.id is not null then jobs.state
         when last_failed then 'failed'
         else 'done'
       end as "lastState"
     from service.schedules
     left join service.jobs on jobs.id = last_job
     where schedules.name = any ($1)`,
    [names],
  );
}

/** Names, expressions and time zones as columns. */
function columnsOf(schedules: readonly Schedule[]): readonly (readonly string[])[] {
  return [
    schedules.map(({ name }) => name),
    schedules.map(({ calendar }) => calendar.cron),
    schedules.map(({ calendar }) => calendar.timezone),
  ];
}
