import type { Zone } from "./timezone.js";

// A day begins when its midnight is first reached. If clocks show midnight twice, that is the first of them; if they
// skip it, the moment of the skip. PostgreSQL's time zone data decides both when days begin and what they are called.

/** SQL for the first moment of a day, given as SQL for a timestamp without time zone. */
export function firstMoment(day: string, { sql }: Zone): string {
  // The second of two midnights; for a skipped midnight, the moment of the skip.
  const last = `(${day} at time zone ${sql})`;
  // A day in UTC always has 24 hours, whatever the session's time zone.
  const before = `(${last} - interval '24 hours')`;
  const offset = `(${before} at time zone ${sql} - ${before} at time zone 'UTC')`;
  const first = `((${day} - ${offset}) at time zone 'UTC')`;
  return `(case when ${first} < ${last} and ${first} at time zone ${sql} >= ${day} then ${first} else ${last} end)`;
}

/** SQL for the current day: the day after the one on the clock if it has already begun. */
export function today(zone: Zone): string {
  const shown = `date_trunc('day', now() at time zone ${zone.sql})`;
  const next = `(${shown} + interval '1 day')`;
  return `case when ${firstMoment(next, zone)} <= now() then ${next} else ${shown} end`;
}

/**
 * SQL for the local time of a moment, with the correct day, week, month and year. If clocks went from 00:01 back to
 * 23:01, the day that had begun continues: 12 hours are added to its times after the change.
 */
export function localTime(moment: string, zone: Zone): string {
  const local = `${moment} at time zone ${zone.sql}`;
  if (!zone.isBackOverMidnight) return local;
  return `case
    when width_bucket(${moment}, ${repeatedMidnights(zone)}) % 2 = 1 then ${local} + interval '12 hours'
    else ${local}
  end`;
}

/** SQL for a sorted array with both midnights of each day whose midnight occurred twice. */
function repeatedMidnights(zone: Zone): string {
  // Only the years in which clocks were set back over midnight, to avoid examining every day of other years.
  return `array(
      select unnest(array[_first, _last]) as _midnight
      from (
        select ${firstMoment("_day", zone)} as _first, _day at time zone ${zone.sql} as _last
        from generate_series('1987-01-01'::timestamp, '2010-12-31', interval '1 day') as _day
      ) as _days
      where _first < _last
      order by _midnight
    )`;
}
