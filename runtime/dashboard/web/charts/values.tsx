import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../api/account/session.js";
import type { Field, Resource } from "../api/client/types.js";
import { labelOf } from "../api/records/descriptors.js";
import { type Stats, valuesQuery } from "../api/records/numbers.js";
import { statsQuery } from "../api/records/queries.js";
import { type Bar, Rows } from "../parts/chart/chart.js";
import { useInView } from "../parts/page/in-view.js";
import { ChartPanel } from "../parts/page/panel.js";
import { enCharts } from "../text/en/charts.js";
import { count } from "../text/format.js";
import { valueName } from "./value-name.js";
import { Waiting } from "./waiting.js";

const text = enCharts;

/** A chart of the number of records with each value of a field, including the empty value. */
export function Values({
  resource,
  field,
  title = text.byField(labelOf(field)),
  action,
}: {
  readonly resource: Resource;
  readonly field: Field;
  readonly title?: string;
  readonly action?: ReactNode;
}) {
  const { user } = useSession();
  const [element, isInView] = useInView<HTMLDivElement>();
  const stats = useQuery({
    ...statsQuery(user.id, resource.name, valuesQuery(field.name)),
    enabled: isInView,
  });
  const bars = barsOf(field, stats.data);
  const label = labelOf(field);
  return (
    <div ref={element}>
      <ChartPanel
        title={title}
        note={text.allTime}
        heads={[label, text.count]}
        bars={bars}
        print={count}
        action={action}
      >
        {stats.isError ? (
          <Waiting query={stats} />
        ) : (
          <Rows bars={bars} print={count} none={text.unknown} />
        )}
      </ChartPanel>
    </div>
  );
}

/**
 * Returns rows for values that are known before their numbers, so that the page does not move when the numbers arrive.
 */
function barsOf(field: Field, stats: Stats | undefined): readonly Bar[] {
  const names = field.values ?? ["true", "false"];
  const counted = names.map((value): Bar => {
    const many = stats === undefined ? null : (stats.values[value] ?? 0);
    return { key: `=${value}`, label: valueName(field, value), value: many };
  });
  if (field.required === true) return counted;
  const sum = counted.reduce((total, { value }) => total + (value ?? 0), 0);
  const empty = stats === undefined ? null : stats.total - sum;
  return [...counted, { key: "empty", label: text.noValue, value: empty, isApart: true }];
}
