import type { Bar } from "../parts/chart/chart.js";
import { enCharts } from "../text/en/charts.js";
import { count } from "../text/format.js";

/** Describes a chart in one sentence for screen readers; the table has every number. */
export function summaryOf(
  title: string,
  bars: readonly Bar[],
  print: (value: number) => string,
): string {
  const values = bars.flatMap(({ value }) => (value === null ? [] : [value]));
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined || values.length === 0) return title;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return enCharts.bars(
    title,
    enCharts.summary({
      count: count(bars.length),
      from: first.whole ?? first.label,
      to: last.whole ?? last.label,
      least: print(least),
      most: print(most),
    }),
  );
}
