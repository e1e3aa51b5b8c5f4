import type { Queryable } from "../../db/index.js";
import type { JobKinds, Schedule } from "../job/definition.js";
import {
  type DueSchedule,
  findDue,
  forgetSchedules,
  moveOn,
  type NextTime,
  seeSchedules,
  storeSchedules,
  timeOf,
} from "../store/schedules.js";

/** Milliseconds after which a scheduled time counts as missed: expressions have a resolution of one minute. */
const punctualMs = 60_000;

/** Stores the schedules of an app at startup, and deletes those that the app no longer has. */
export async function keepSchedules(db: Queryable, schedules: readonly Schedule[]): Promise<void> {
  await forgetSchedules(db, namesOf(schedules));
  if (schedules.length === 0) return;
  await storeSchedules(db, timesOf(schedules, await timeOf(db)), { isStart: true });
  await seeSchedules(db, schedules);
}

/** Deletes schedules of other releases that no running process uses. */
export function tidySchedules(db: Queryable, schedules: readonly Schedule[]): Promise<void> {
  return forgetSchedules(db, namesOf(schedules), { unseenHours: 1 });
}

/**
 * Restores schedules that a process of another release deleted or changed. While that process runs, its changes stay:
 * its release may be newer.
 */
export async function renewSchedules(db: Queryable, schedules: readonly Schedule[]): Promise<void> {
  const missing = await seeSchedules(db, schedules);
  if (missing.size === 0) return;
  const again = schedules.filter(({ name }) => missing.has(name));
  await storeSchedules(db, timesOf(again, await timeOf(db)), { isStart: false });
}

function namesOf(schedules: readonly Schedule[]): readonly string[] {
  return schedules.map(({ name }) => name);
}

function timesOf(schedules: readonly Schedule[], now: Date): readonly NextTime[] {
  return schedules.map((schedule) => ({ schedule, next: nextTime(schedule, now) }));
}

export function nextTime({ name, calendar }: Schedule, now: Date): Date {
  const next = calendar.next(now);
  // Startup refuses calendars without a future time.
  if (next === null) throw new Error(`The schedule "${name}" has no further time`);
  return next;
}

/**
 * Adds the jobs of the schedules that are due. Of several missed times only the last one runs, unless it is too old.
 */
export async function addDueJobs(
  db: Queryable,
  {
    schedules,
    kinds,
    now,
  }: {
    readonly schedules: readonly Schedule[];
    readonly kinds: JobKinds;
    readonly now: Date | null;
  },
): Promise<void> {
  for (const due of await findDue(db, schedules, now)) {
    const schedule = schedules.find(({ name }) => name === due.name);
    if (schedule === undefined) continue;
    const tries = kinds.get(schedule.job)?.maxAttempts ?? 1;
    const to = nextTime(schedule, due.now);
    await moveOn(db, { schedule, tries, from: due.nextAt, to, run: timeToRun(schedule, due) });
  }
}

/** The time to run; null if the last one was missed too long ago. */
export function timeToRun(
  { calendar, catchUpMs }: Pick<Schedule, "calendar" | "catchUpMs">,
  { nextAt, now }: Pick<DueSchedule, "nextAt" | "now">,
): Date | null {
  const last = calendar.last(new Date(nextAt.getTime() - 1), now) ?? nextAt;
  const lateMs = now.getTime() - last.getTime();
  return lateMs <= Math.max(punctualMs, catchUpMs) ? last : null;
}
