import type { Parameters } from "../../http/index.js";
import { firstMoment, today } from "../time-zone/local-time.js";
import type { Zone } from "../time-zone/timezone.js";

const units = ["day", "week", "month"] as const;

/** The period of a series: calendar days, weeks from Monday, or months. */
export interface Series {
  readonly unit: (typeof units)[number];
  readonly timezone: Zone;
}

/** Parses `series`, whose periods are those of the time zone. */
export function readSeries(parameters: Parameters, timezone: Zone): Series | null {
  const asked = parameters.take("series");
  if (asked === undefined) return null;
  const unit = units.find((one) => one === asked);
  if (unit === undefined) {
    parameters.reject("series", `Must be one of: ${units.join(", ")}`);
    return null;
  }
  return { unit, timezone };
}

/**
 * SQL for a JSON list with an entry for each period of the zone that contains one of the last days, whose
 * number is `$1`; a period is counted as a whole.
 */
export function seriesOf(name: string, { unit, timezone }: Series, where: string): string {
  const narrowed = where === "" ? "" : ` and ${where}`;
  // The names of its tables precede its columns: a resource may have columns of the same names.
  return `(
        select
          coalesce(json_agg(
            json_build_object('from', to_char(_period.day, 'YYYY-MM-DD'), 'count', (
              select count(*)
              from ${name}
              where created_at >= _period.begins
                and created_at < _period.ends${narrowed}
            ))
            order by _period.day
          ), '[]')::text
        from (
          select _days.day, _days.begins, lead(_days.begins) over (order by _days.day) as ends
          from (
            select _day as day, ${firstMoment("_day", timezone)} as begins
            from (select ${today(timezone)} as day) as _today,
              generate_series(
                date_trunc('${unit}', _today.day - make_interval(days => $1::int - 1)),
                date_trunc('${unit}', _today.day) + interval '1 ${unit}',
                interval '1 ${unit}'
              ) as _day
          ) as _days
        ) as _period
        where _period.ends is not null
      )`;
}
