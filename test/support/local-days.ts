import type pg from "pg";

/** A moment at which a zone sets its clocks, in milliseconds, with the offsets before and after it. */
export interface Change {
  readonly zone: string;
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** Years of the tested changes. */
const [from, until] = ["1990-01-01Z", "2041-01-01Z"];

export const minute = 60_000;
export const day = 86_400_000;

/** Every change of a zone as PostgreSQL knows it: in each day the hour is sought, and in that hour the minute. */
export async function changesOf(client: pg.Client, zone: string): Promise<readonly Change[]> {
  const { rows } = await client.query<{ at: string; before: string; after: string }>(
    `with
       hours as materialized (
         select (${lastBeforeChange("day", "1 hour", "23 hours")}) as hour
         from generate_series('${from}'::timestamptz, '${until}', interval '1 day') as day
         where ${offset("day")} <> ${offset("(day + interval '1 day')")}
       ),
       minutes as materialized (
         select (${lastBeforeChange("hour", "1 minute", "59 minutes")}) as last
         from hours
       )
     select ${milliseconds("last + interval '1 minute'")} as at,
       ${milliseconds(offset("last"))} as before,
       ${milliseconds(offset("(last + interval '1 minute')"))} as after
     from minutes
     order by at`,
    [zone],
  );
  return rows.map(({ at, before, after }) => ({
    zone,
    at: Number(at),
    before: Number(before),
    after: Number(after),
  }));
}

function lastBeforeChange(start: string, step: string, last: string): string {
  return `select moment
    from generate_series(${start}, ${start} + interval '${last}', interval '${step}') as moment
    where ${offset(`(moment + interval '${step}')`)} <> ${offset(start)}
    order by moment
    limit 1`;
}

function offset(moment: string): string {
  return `(${moment} at time zone $1 - ${moment} at time zone 'UTC')`;
}

function milliseconds(time: string): string {
  return `extract(epoch from ${time}) * 1000`;
}

/** The days around a change: a walk through its minutes, from two days before it to two days after. */
export interface Walk {
  readonly days: Days;
  /** The first minute of each day that began on the way; of one that was passed over, that of the next. */
  readonly beginnings: ReadonlyMap<number, number>;
}

/** The day of each minute of a walk, as its number since 1970: the latest that the clock has shown so far. */
export interface Days {
  /** Undefined for a moment outside of the walk. */
  get(moment: number): number | undefined;
}

export const walked = 2 * day;

export function walk({ at }: Change, changes: readonly Change[]): Walk {
  const near = changes.filter((one) => Math.abs(one.at - at) <= walked);
  const start = at - walked;
  // There are millions of them in all: a map would take most of the time.
  const days = new Int32Array((2 * walked) / minute + 1);
  const beginnings = new Map<number, number>();
  let latest = Number.NEGATIVE_INFINITY;
  let offset = near[0]?.before ?? 0;
  let passed = 0;
  for (let place = 0; place < days.length; place += 1) {
    const moment = start + place * minute;
    for (let next = near[passed]; next !== undefined && next.at <= moment; next = near[passed]) {
      offset = next.after;
      passed += 1;
    }
    const shown = Math.floor((moment + offset) / day);
    if (shown > latest) {
      const first = Number.isFinite(latest) ? latest + 1 : shown + 1;
      for (let begun = first; begun <= shown; begun += 1) beginnings.set(begun, moment);
      latest = shown;
    }
    days[place] = latest;
  }
  return { days: { get: (moment) => days[(moment - start) / minute] }, beginnings };
}

/** `2026-11-01` */
export function nameOf(number: number): string {
  return new Date(number * day).toISOString().slice(0, 10);
}

export type Unit = "day" | "week" | "month" | "year";

/** The name of the first day of the day's period. */
export function periodOf(number: number, unit: Unit): string {
  const name = nameOf(number);
  if (unit === "day") return name;
  if (unit === "month") return `${name.slice(0, 7)}-01`;
  if (unit === "year") return `${name.slice(0, 4)}-01-01`;
  // The first day of 1970 was a Thursday.
  return nameOf(number - ((number + 3) % 7));
}
