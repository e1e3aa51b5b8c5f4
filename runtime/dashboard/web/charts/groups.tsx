import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/account/session.js";
import type { Row } from "../api/client/types.js";
import { things, titleOf } from "../api/records/descriptors.js";
import { type Group, groupsQuery, measured } from "../api/records/numbers.js";
import { aggregateQuery, titlesQuery } from "../api/records/queries.js";
import { type Bar, Rows } from "../parts/chart/chart.js";
import { ChartPanel } from "../parts/page/panel.js";
import { enCharts } from "../text/en/charts.js";
import { decimal } from "../text/figures.js";
import { decimalsOf, type Grouping } from "./choices.js";
import type { ShownProps } from "./shown.js";
import { valueName } from "./value-name.js";
import { Waiting } from "./waiting.js";

const text = enCharts;

/** Maximum number of bars that can be compared at a glance; an enum shows all its values. */
const mostLinks = 12;
const mostValues = 201;

type Grouped = Exclude<Grouping, { readonly kind: "months" }>;

/** A chart of a measure by the values of a field, or by linked records, largest first. */
export function Groups(props: ShownProps & { readonly grouping: Grouped }) {
  const { resource, measure, grouping, ...shown } = props;
  const { user } = useSession();
  const { name } = grouping.field;
  const most = grouping.kind === "link" ? mostLinks : mostValues;
  const answer = useQuery(aggregateQuery(user.id, resource.name, groupsQuery(measure, name, most)));
  const groups = answer.data?.data ?? [];
  const titles = useTitles(grouping, groups);
  // The group of records without a value is not compared with the others.
  const ordered = groups.toSorted(
    (one, other) => Number(isEmpty(one, name)) - Number(isEmpty(other, name)),
  );
  const bars = ordered.map((group): Bar => {
    const value = group.by[name] ?? null;
    const known =
      titles?.get(String(value)) ?? (grouping.kind === "link" && value !== null ? "…" : null);
    const label = known ?? valueName(grouping.field, value);
    return {
      key: value === null ? "empty" : `=${value}`,
      label,
      value: measured(group, measure),
      isApart: value === null,
    };
  });
  const print = (value: number) => decimal(value, decimalsOf(resource, measure));
  const isCut = answer.data?.meta.more === true;
  return (
    <ChartPanel
      {...shown}
      note={isCut ? text.largest(most) : text.allTime}
      bars={bars}
      print={print}
      isWide
    >
      {answer.data === undefined ? (
        <Waiting query={answer} />
      ) : bars.length === 0 ? (
        <p className="muted">{text.none(things(resource))}</p>
      ) : (
        <Rows bars={bars} print={print} none={text.noFigure} />
      )}
    </ChartPanel>
  );
}

function isEmpty({ by }: Group, name: string): boolean {
  return (by[name] ?? null) === null;
}

/** Returns the titles of the linked records; null if there are none or they are loading. */
function useTitles(
  grouping: Grouped,
  groups: readonly Group[],
): ReadonlyMap<string, string> | null {
  const { user } = useSession();
  const to = grouping.kind === "link" ? grouping.to : undefined;
  const ids = groups.flatMap(({ by }) => {
    const id = by[grouping.field.name];
    return typeof id === "string" && to !== undefined ? [id] : [];
  });
  const titleRows = useQuery(titlesQuery(user.id, to, ids));
  if (to === undefined || titleRows.data === undefined) return null;
  return new Map(titleRows.data.data.map((row: Row) => [row.id, titleOf(to, row)]));
}
