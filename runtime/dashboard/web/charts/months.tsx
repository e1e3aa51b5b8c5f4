import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/account/session.js";
import type { Field } from "../api/client/types.js";
import {
  filledMonths,
  measured,
  months,
  monthsQuery,
  monthsUntil,
  today,
} from "../api/records/numbers.js";
import { aggregateQuery } from "../api/records/queries.js";
import { kindOf } from "../kinds/kinds.js";
import { type Bar, Columns } from "../parts/chart/chart.js";
import { ChartPanel } from "../parts/page/panel.js";
import { period, zone } from "../text/dates.js";
import { enCharts } from "../text/en/charts.js";
import { decimal } from "../text/figures.js";
import { rough } from "../text/format.js";
import { decimalsOf } from "./choices.js";
import type { ShownProps } from "./shown.js";
import { summaryOf } from "./summary.js";
import { Waiting } from "./waiting.js";

const text = enCharts;

/** A chart of a measure by month of a date or time: the last two years and the future. */
export function Months(props: ShownProps & { readonly field: Field }) {
  const { resource, measure, field, ...shown } = props;
  const { user } = useSession();
  const query = monthsQuery(measure, {
    by: field.name,
    isDate: kindOf(field).grouping === "days",
  });
  const answer = useQuery(aggregateQuery(user.id, resource.name, query));
  const past = monthsUntil(today());
  const present = past.at(-1) ?? "";
  const filled = answer.data === undefined ? [] : filledMonths(answer.data.data, field.name, past);
  const bars = filled.map(({ month, group }): Bar => {
    const { short, whole } = period(month, "month");
    const empty = measure.kind === "avg" ? null : 0;
    const value = group === null ? empty : measured(group, measure);
    return { key: month, label: short, whole, value, isOpen: month >= present };
  });
  const print = (value: number) => decimal(value, decimalsOf(resource, measure));
  return (
    <ChartPanel
      {...shown}
      note={text.lastMonths(months) + text.ahead(zone())}
      bars={bars}
      print={print}
      isWide
    >
      {answer.data === undefined ? (
        <Waiting query={answer} />
      ) : (
        <Columns
          bars={bars}
          summary={summaryOf(shown.title, bars, print)}
          axis={rough}
          print={print}
        />
      )}
    </ChartPanel>
  );
}
