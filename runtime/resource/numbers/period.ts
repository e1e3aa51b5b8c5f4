/** The periods of a calendar by which times are grouped: weeks begin on Monday. */
export const periods = ["day", "week", "month", "year"] as const;

export type Period = (typeof periods)[number];

/** SQL for the first day of the period that holds a local time, which is SQL for a time without a zone. */
export function startOf(period: Period, localTime: string): string {
  return `date_trunc('${period}', ${localTime})`;
}
