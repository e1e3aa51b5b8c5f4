import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../api/account/session.js";
import type { Resource } from "../api/client/types.js";
import { totalsQuery, type Unit, unitOf } from "../api/records/numbers.js";
import { statsQuery } from "../api/records/queries.js";
import { type Bar, Columns } from "../parts/chart/chart.js";
import { ChartPanel } from "../parts/page/panel.js";
import { period, zone } from "../text/dates.js";
import { enCharts } from "../text/en/charts.js";
import { count, rough } from "../text/format.js";
import { summaryOf } from "./summary.js";
import { Waiting } from "./waiting.js";

const text = enCharts;

/** A chart of new records by day, week or month. */
export function NewRecords({
  resource,
  days,
  title: given,
  action,
}: {
  readonly resource: Resource;
  readonly days: number;
  /** The title for each unit of the bars, if the page does not name their subject. */
  readonly title?: Readonly<Record<Unit, string>>;
  readonly action?: ReactNode;
}) {
  const { user } = useSession();
  const stats = useQuery(statsQuery(user.id, resource.name, totalsQuery(days)));
  const unit = unitOf(days);
  const series = stats.data?.series ?? [];
  const bars = series.map(({ from, count: value }, at): Bar => {
    const { short, whole } = period(from, unit);
    return {
      // Bars of one series are never reused for another one, because the change would be animated.
      key: `${stats.isPlaceholderData} ${unit} ${from}`,
      label: short,
      whole: unit === "week" ? text.weekOf(whole) : whole,
      value,
      isOpen: at === series.length - 1,
    };
  });
  const title = (given ?? text.fresh)[unit];
  return (
    <ChartPanel
      title={title}
      note={text.zone(zone(), text.units[unit])}
      heads={[text.period, text.count]}
      bars={bars}
      print={count}
      action={action}
      isWide
    >
      {stats.data === undefined ? (
        <Waiting query={stats} />
      ) : (
        <Columns bars={bars} summary={summaryOf(title, bars, count)} axis={rough} print={count} />
      )}
    </ChartPanel>
  );
}
