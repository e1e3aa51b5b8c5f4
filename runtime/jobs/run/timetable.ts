import type { Queryable } from "../../db/index.js";
import type { JobKinds, Schedule } from "../job/definition.js";
import {
  type DueSchedule,
  findDue,
  forgetSchedules,
  moveOn,
  storeSchedules,
  timeOf,
} from "../store/schedules.js";

/** Milliseconds by which a time may be late without having been missed: expressions name minutes. */
const punctualMs = 60_000;

/** Stores the schedules of the app, and forgets those that it no longer has. */
export async function keepSchedules(
  db: Queryable,
  { schedules, now }: { readonly schedules: readonly Schedule[]; readonly now?: Date },
): Promise<void> {
  await forgetSchedules(
    db,
    schedules.map(({ name }) => name),
  );
  await addMissing(db, schedules, now ?? (await timeOf(db)));
}

async function addMissing(db: Queryable, schedules: readonly Schedule[], now: Date): Promise<void> {
  const times = schedules.map((schedule) => ({ schedule, next: nextTime(schedule, now) }));
  if (times.length > 0) await storeSchedules(db, times);
}

/** When a schedule is due next. */
export function nextTime({ name, calendar }: Schedule, now: Date): Date {
  const next = calendar.next(now);
  // A calendar that never comes is refused at the start.
  if (next === null) throw new Error(`The schedule "${name}" never comes again`);
  return next;
}

/**
 * Adds the jobs of the schedules whose time has come. Of several times that passed while nobody looked, the last one is
 * run, if it is not too long ago.
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
    const tries = kinds.get(schedule.job)?.tries ?? 1;
    const to = nextTime(schedule, due.now);
    await moveOn(db, { schedule, tries, from: due.nextAt, to, run: timeToRun(schedule, due) });
  }
}

/** The time that is run; null: the last one was missed too long ago. */
export function timeToRun(
  { calendar, catchUpMs }: Pick<Schedule, "calendar" | "catchUpMs">,
  { nextAt, now }: Pick<DueSchedule, "nextAt" | "now">,
): Date | null {
  const last = calendar.last(new Date(nextAt.getTime() - 1), now) ?? nextAt;
  const lateMs = now.getTime() - last.getTime();
  return lateMs <= Math.max(punctualMs, catchUpMs) ? last : null;
}
