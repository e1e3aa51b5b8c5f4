import type pg from "pg";
import { expect } from "vitest";
import { seriesOf } from "../../runtime/resource/numbers/series.js";
import { firstMoment, localTime } from "../../runtime/resource/time-zone/local-time.js";
import { zoneNamed } from "../../runtime/resource/time-zone/timezone.js";
import { type Change, changesOf, minute, nameOf, periodOf, walk } from "./local-days.js";

const units = ["day", "week", "month", "year"] as const;

/** Minutes around what happens at a change and at midnight: some are on each side of all of it. */
const near = [
  -181, -180, -121, -120, -61, -60, -59, -31, -30, -1, 0, 1, 29, 30, 58, 59, 60, 61, 119, 120, 179,
  180,
];

/** Fails unless days begin, and moments belong to days, weeks, months and years, as a walk through the minutes says. */
export async function expectDaysOf(client: pg.Client, zone: string): Promise<readonly Change[]> {
  const changes = await changesOf(client, zone);
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
  expect({ zone, begun, begins: await firstMoments(client, zone, begun) }).toEqual({
    zone,
    begun,
    begins,
  });
  for (const unit of units) {
    const periods = days.map((number) => periodOf(number, unit));
    expect({ zone, moments, periods: await periodsOf(client, zone, { moments, unit }) }).toEqual({
      zone,
      moments,
      periods,
    });
  }
  return changes;
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
  { moments, unit }: { readonly moments: readonly number[]; readonly unit: string },
): Promise<readonly string[]> {
  const values: unknown[] = [moments];
  const local = localTime("moment", zoneNamed(zone, values));
  const { rows } = await client.query<{ period: string }>(
    `select date_trunc('${unit}', ${local})::date::text as period
     from (
       select to_timestamp(milliseconds / 1000) as moment, place
       from unnest($1::float8[]) with ordinality as times (milliseconds, place)
     ) as moments
     order by place`,
    values,
  );
  return rows.map(({ period }) => period);
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
  const times = [...days.keys()].filter(
    (time) => (time - change.at) % (5 * minute) === 0 && time <= now,
  );
  for (const unit of ["day", "week", "month"] as const) {
    const values: unknown[] = [4, times];
    const series = seriesOf("records", { unit, timezone: zoneNamed(change.zone, values) }, "");
    await client.query("select set_config('fake.now', $1, false)", [String(now)]);
    const { rows } = await client.query<{ series: string }>(
      `with records as (select to_timestamp(time / 1000) as created_at from unnest($2::float8[]) as time)
       select ${series} as series`,
      values,
    );
    const today = days.get(now) ?? 0;
    const periods = new Set([3, 2, 1, 0].map((ago) => periodOf(today - ago, unit)));
    const expected = [...periods].map((from) => ({
      from,
      count: times.filter((time) => periodOf(days.get(time) ?? 0, unit) === from).length,
    }));
    expect({ ...change, unit, series: JSON.parse(rows[0]?.series ?? "null") }).toEqual({
      ...change,
      unit,
      series: expected,
    });
  }
}
