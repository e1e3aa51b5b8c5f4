import type { Parameters } from "../../http/index.js";
import { firstMoment, today } from "../time-zone/local-time.js";
import type { Zone } from "../time-zone/timezone.js";
import type { Moment } from "./moment.js";
import { type Period, startOf } from "./period.js";

/** A series by year would have one entry, since it covers at most a year. */
const units = ["day", "week", "month"] as const satisfies readonly Period[];

export interface Series {
  readonly unit: (typeof units)[number];
  readonly timezone: Zone;
}

/** Parses `series`, whose periods follow the time zone. */
export function readSeries(parameters: Parameters, timezone: Zone): Series | null {
  const requested = parameters.take("series");
  if (requested === undefined) return null;
  const unit = units.find((one) => one === requested);
  if (unit === undefined) {
    parameters.reject("series", `Must be one of: ${units.join(", ")}`);
    return null;
  }
  return { unit, timezone };
}

interface Counted {
  readonly series: Series;
  readonly moment: Moment;
  /** SQL; empty for all rows. */
  readonly where: string;
}

/**
 * SQL for a JSON list with an entry for each period, in the time zone, that contains one of the last `$1` days. Periods
 * are counted completely. The rows, or their part of an index, are read once.
 */
export function seriesOf(name: string, { series, moment, where }: Counted): string {
  const { unit, timezone } = series;
  const begins = moment.kind === "day" ? "_day::date" : firstMoment("_day", timezone);
  const narrowed = where === "" ? "" : ` and ${where}`;
  // Tables and columns of this SQL begin with an underscore: the resource may have any other name.
  return `(
        with
          _periods as materialized (
            select row_number() over (order by _day) as _at, _day, ${begins} as _begins
            from (select ${today(timezone)} as _last) as _today,
              generate_series(
                ${startOf(unit, "_today._last - make_interval(days => $1::int - 1)")},
                ${startOf(unit, "_today._last")} + interval '1 ${unit}',
                interval '1 ${unit}'
              ) as _day
          ),
          _counted as (
            select
              width_bucket(${moment.name}, (select array_agg(_begins order by _at) from _periods)) as _at,
              count(*) as _rows
            from ${name}
            where ${moment.name} >= (select min(_begins) from _periods)
              and ${moment.name} < (select max(_begins) from _periods)${narrowed}
            group by 1
          )
        select
          coalesce(json_agg(
            json_build_object('from', to_char(_day, 'YYYY-MM-DD'), 'count', coalesce(_rows, 0))
            order by _at
          ), '[]')::text
        from _periods left join _counted using (_at)
        where _at < (select count(*) from _periods)
      )`;
}
