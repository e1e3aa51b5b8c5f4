interface ChartSummary {
  readonly count: string;
  readonly from: string;
  readonly to: string;
  readonly least: string;
  readonly most: string;
}

/** Texts of charts and figures; separate, so that the sign-in page does not load them. */
export const enCharts = Object.freeze({
  title: (things: string) => `${things} in numbers`,
  views: (things: string) => `Views of ${things}`,
  all: "All",
  tab: "Charts",
  forbidden: (label: string) => `Your role may not see the numbers of “${label}”.`,
  none: (things: string) => `There are no ${things} yet, so there is nothing to count.`,
  fresh: { day: "New by day", week: "New by week", month: "New by month" },
  newOf: (things: string) => `New ${things}`,
  weekOf: (day: string) => `Week of ${day}`,
  zone: (zone: string, unit: string) => `${zone}; the lighter ${unit} is still in progress`,
  ahead: (zone: string) => `${zone}; lighter bars are still in progress`,
  units: { day: "day", week: "week", month: "month" },
  by: (measure: string, group: string) => `${measure} by ${group}`,
  byField: (field: string) => `By ${field}`,
  measure: "Measure",
  group: "Group by",
  count: "Number",
  sum: (field: string) => `Sum of ${field}`,
  avg: "Average",
  average: (field: string) => `Average of ${field}`,
  least: "Minimum",
  greatest: "Maximum",
  total: "Sum",
  field: "Field",
  figures: "Sums and averages",
  figuresNote: "Of all records that have a value",
  month: (field: string) => `month of ${field}`,
  allTime: "All time",
  largest: (many: number) => `All time, the ${many} largest`,
  lastMonths: (many: number) => `Last ${many} months, `,
  noValue: "empty",
  noFigure: "no value",
  unknown: "…",
  table: "Show as table",
  chart: "Show as chart",
  bars: (title: string, summary: string) => `${title}. ${summary}`,
  summary: ({ count, from, to, least, most }: ChartSummary) =>
    `${count} bars, from ${from} to ${to}; between ${least} and ${most}.`,
  period: "Period",
  value: "Value",
  notOver: "in progress",
  created: "Created",
  featured: "Shown below",
  freshBy: {
    day: (things: string) => `${things} by day`,
    week: (things: string) => `${things} by week`,
    month: (things: string) => `${things} by month`,
  },
  newest: (things: string) => `Newest ${things}`,
  allOfThem: "All",
});
