import type pg from "pg";
import { expect } from "vitest";
import type { Moment } from "../../runtime/resource/numbers/moment.js";
import { seriesOf } from "../../runtime/resource/numbers/series.js";
import { firstMoment, localTime } from "../../runtime/resource/time-zone/local-time.js";
import { zoneNamed } from "../../runtime/resource/time-zone/timezone.js";
import {
  type Change,
  changesOf,
  minute,
  nameOf,
  periodOf,
  type Unit,
  walk,
  walked,
} from "./local-days.js";

const units = ["day", "week", "month", "year"] as const;
const creation: Moment = { name: "created_at", kind: "creation", lookups: [] };
const seriesUnits = ["day", "week", "month"] as const;

/** Minutes around a change and midnight, with some on each side of both. */
const near = [
  -181, -180, -121, -120, -61, -60, -59, -31, -30, -1, 0, 1, 29, 30, 58, 59, 60, 61, 119, 120, 179,
  180,
];

/** Fails unless days begin, and moments belong to days, weeks, months and years, as a walk through the minutes says. */
export async function expectDaysOf(client: pg.Client, zone: string): Promise<readonly Change[]> {
  const changes = await changesOf(client, zone);
  const { begun, begins, moments, periods } = expectedOf(changes);
  expectSame({ zone, begun }, await firstMoments(client, zone, begun), begins);
  const found = await periodsOf(client, zone, moments);
  for (const unit of units) expectSame({ zone, unit, moments }, found[unit], periods[unit]);
  return changes;
}

/** Results of the walks through all changes of a zone. */
interface Expected {
  /** Names of days, and their starts. */
  readonly begun: readonly string[];
  readonly begins: readonly number[];
  /** Moments with their periods. */
  readonly moments: readonly number[];
  readonly periods: Periods;
}

type Periods = Readonly<Record<Unit, readonly string[]>>;

/** By the changes: many zones have the same. */
const known = new Map<string, Expected>();

function expectedOf(changes: readonly Change[]): Expected {
  const key = changes.map(({ at, before, after }) => `${at} ${before} ${after}`).join();
  const expected = known.get(key) ?? walkAll(changes);
  known.set(key, expected);
  return expected;
}

function walkAll(changes: readonly Change[]): Expected {
  const begun: string[] = [];
  const begins: number[] = [];
  const moments: number[] = [];
  const days: number[] = [];
  for (const change of changes) {
    const walked = walk(change, changes);
    for (const [number, moment] of walked.beginnings) {
      begun.push(nameOf(number));
      begins.push(moment);
    }
    for (const around of [change.at, ...walked.beginnings.values()]) {
      for (const moment of near.map((minutes) => around + minutes * minute)) {
        const number = walked.days.get(moment);
        if (number === undefined) continue;
        moments.push(moment);
        days.push(number);
      }
    }
  }
  const of = (unit: Unit) => days.map((number) => periodOf(number, unit));
  const periods = { day: of("day"), week: of("week"), month: of("month"), year: of("year") };
  return { begun, begins, moments, periods };
}

/** As `toEqual`, which takes long for lists of thousands, and is asked only to say what differs. */
function expectSame<Value>(
  context: object,
  found: readonly Value[],
  expected: readonly Value[],
): void {
  const isSame =
    found.length === expected.length && found.every((value, place) => value === expected[place]);
  if (!isSame) expect({ ...context, found }).toEqual({ ...context, found: expected });
}

async function firstMoments(
  client: pg.Client,
  zone: string,
  days: readonly string[],
): Promise<readonly number[]> {
  const values: unknown[] = [days];
  const begins = firstMoment("day", zoneNamed(zone, values));
  const { rows } = await client.query<{ at: string }>(
    `select extract(epoch from ${begins}) * 1000 as at
     from unnest($1::timestamp[]) with ordinality as days (day, place)
     order by place`,
    values,
  );
  return rows.map(({ at }) => Number(at));
}

async function periodsOf(
  client: pg.Client,
  zone: string,
  moments: readonly number[],
): Promise<Periods> {
  const values: unknown[] = [moments];
  const local = localTime("moment", zoneNamed(zone, values));
  const periods = units.map(
    (unit) => `array_agg(date_trunc('${unit}', local)::date::text order by place) as ${unit}`,
  );
  const { rows } = await client.query<Readonly<Record<Unit, readonly string[] | null>>>(
    `with
       moments as (
         select to_timestamp(milliseconds / 1000) as moment, place
         from unnest($1::float8[]) with ordinality as times (milliseconds, place)
       ),
       locals as materialized (select ${local} as local, place from moments)
     select ${periods.join(", ")} from locals`,
    values,
  );
  const [found] = rows;
  // Of no moments PostgreSQL makes no list.
  return {
    day: found?.day ?? [],
    week: found?.week ?? [],
    month: found?.month ?? [],
    year: found?.year ?? [],
  };
}

/** Replaces PostgreSQL's `now()` in the session by a moment that `expectSeries` sets. */
export async function fakeNow(client: pg.Client): Promise<void> {
  await client.query(
    `create schema if not exists fake;
     create or replace function fake.now() returns timestamptz language sql stable
       as $$ select to_timestamp(current_setting('fake.now')::float8 / 1000) $$;
     set search_path = fake, pg_catalog, public`,
  );
}

/**
 * Fails unless a series that is asked for a day after a change counts, for each period, one record for every five
 * minutes around the change.
 */
export async function expectSeries(
  client: pg.Client,
  change: Change,
  changes: readonly Change[],
): Promise<void> {
  const { days } = walk(change, changes);
  const now = change.at + 30 * 60 * minute;
  const times: number[] = [];
  for (let time = change.at - walked; time <= now; time += 5 * minute) times.push(time);
  const values: unknown[] = [4, times];
  const timezone = zoneNamed(change.zone, values);
  const series = seriesUnits.map(
    (unit) =>
      `${seriesOf("records", { series: { unit, timezone }, moment: creation, where: "" })} as ${unit}`,
  );
  await client.query("select set_config('fake.now', $1, false)", [String(now)]);
  const { rows } = await client.query<Readonly<Record<Unit, string>>>(
    `with records as materialized (
       select to_timestamp(time / 1000) as created_at from unnest($2::float8[]) as time
     )
     select ${series.join(", ")}`,
    values,
  );
  const today = days.get(now) ?? 0;
  const ofDays = new Map<number, number>();
  for (const time of times) {
    const number = days.get(time) ?? 0;
    ofDays.set(number, (ofDays.get(number) ?? 0) + 1);
  }
  for (const unit of seriesUnits) {
    const counts = new Map([3, 2, 1, 0].map((ago) => [periodOf(today - ago, unit), 0]));
    for (const [number, ofDay] of ofDays) {
      const from = periodOf(number, unit);
      const count = counts.get(from);
      if (count !== undefined) counts.set(from, count + ofDay);
    }
    const expected = [...counts].map(([from, count]) => ({ from, count }));
    expect({ ...change, unit, series: JSON.parse(rows[0]?.[unit] ?? "null") }).toEqual({
      ...change,
      unit,
      series: expected,
    });
  }
}
