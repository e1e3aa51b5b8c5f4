/** The calendar periods by which times are grouped; weeks begin on Monday. */
export const periods = ["day", "week", "month", "year"] as const;

export type Period = (typeof periods)[number];

/** SQL for the first day of the period that contains a local time, which is SQL for a time without time zone. */
export function startOf(period: Period, localTime: string): string {
  return `date_trunc('${period}', ${localTime})`;
}

/**
 * SQL for a time, given as SQL, whose periods PostgreSQL can compute in every time zone: later ones are moved to the
 * last month of 294276, earlier ones to the first of 4712 BC.
 */
export function withinPeriods(time: string, type: "date" | "timestamptz"): string {
  const nearest = `least(greatest(${time}, '4712-02-01 BC'::${type}), '294276-12-01'::${type})`;
  return `(case when isfinite(${time}) then ${nearest} else ${time} end)`;
}
