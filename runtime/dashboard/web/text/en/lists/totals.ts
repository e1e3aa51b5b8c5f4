/** Texts of column totals and groups; separate, so that the sign-in page does not load them. */
export const enTotals = Object.freeze({
  button: "Totals",
  title: "Totals and groups",
  /** For callers without statistics. */
  home: "Add to home",
  groupBy: "Group by",
  thenBy: "Then by",
  total: "Total of each column",
  nothing: "None",
  totals: { sum: "Sum", avg: "Average", min: "Minimum", max: "Maximum" },
  units: {
    day: (field: string) => `${field}, by day`,
    week: (field: string) => `${field}, by week`,
    month: (field: string) => `${field}, by month`,
    year: (field: string) => `${field}, by year`,
  },
  count: "Number",
  all: "All",
  grouped: (fields: string) => `Grouped by ${fields}`,
  ungroup: "Show the records",
  caption: (things: string, fields: string) => `${things}, grouped by ${fields}`,
  firstGroups: (many: string) => `Only the first ${many} groups are shown.`,
  failed: "not loaded",
  weekOf: (day: string) => `Week of ${day}`,
});
