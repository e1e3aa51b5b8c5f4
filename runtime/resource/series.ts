import type { Parameters } from "../http/index.js";

const units = ["day", "week", "month"] as const;

/** The period of a series: calendar days, weeks from Monday, or months. */
export interface Series {
  readonly unit: (typeof units)[number];
  /** SQL for the time zone. */
  readonly timezone: string;
}

/** Parses `series`, whose periods are those of the time zone. */
export function readSeries(parameters: Parameters, timezone: string): Series | null {
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
  return `(
        select
          coalesce(json_agg(
            json_build_object('from', to_char(period, 'YYYY-MM-DD'), 'count', (
              select count(*)
              from ${name}
              where created_at >= period at time zone ${timezone}
                and created_at < (period + interval '1 ${unit}') at time zone ${timezone}${narrowed}
            ))
            order by period
          ), '[]')::text
        from generate_series(
          date_trunc('${unit}', (now() at time zone ${timezone})::date - $1::int + 1)::timestamp,
          date_trunc('${unit}', now() at time zone ${timezone}),
          interval '1 ${unit}'
        ) as period
      )`;
}
