import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { listPath, may } from "../../api/records/descriptors.js";
import { type Stats, totalsQuery, unitOf } from "../../api/records/numbers.js";
import { statsQuery } from "../../api/records/queries.js";
import { ResourceIcon } from "../../parts/button/resource-icon.js";
import { type Bar, Spark } from "../../parts/chart/chart.js";
import { useInView } from "../../parts/page/in-view.js";
import { en } from "../../text/en/en.js";
import { count } from "../../text/format.js";

const text = en.home;

/** A quarter has thirteen weeks; a fourteenth would only have begun. */
const mostWeeks = 13;

/** A resource with its total and its new records, loaded when it becomes visible. */
export function Tile({ resource, days }: { readonly resource: Resource; readonly days: number }) {
  const { user } = useSession();
  const [element, isInView] = useInView<HTMLDivElement>();
  const isOpen = may(resource, "stats");
  const stats = useQuery({
    ...statsQuery(user.id, resource.name, totalsQuery(days)),
    enabled: isInView && isOpen,
  });
  const href = may(resource, "list") ? listPath(resource) : `${listPath(resource)}/charts`;
  return (
    <div ref={element}>
      <Link className="card tile" href={href}>
        <span className="row muted small">
          <ResourceIcon name={resource.icon} />
          <bdi className="cut">{resource.label}</bdi>
        </span>
        {isOpen ? <Numbers stats={stats.data} isFailed={stats.isError} days={days} /> : null}
        {isOpen ? null : <span className="small muted">{text.noNumbers}</span>}
      </Link>
    </div>
  );
}

function Numbers({
  stats,
  isFailed,
  days,
}: {
  readonly stats: Stats | undefined;
  readonly isFailed: boolean;
  readonly days: number;
}) {
  return (
    <>
      <span className="figure">{stats === undefined ? text.unknown : count(stats.total)}</span>
      <span className="small">
        {isFailed ? <span className="muted">{text.failed}</span> : null}
        {stats === undefined || isFailed ? null : <Fresh stats={stats} days={days} />}
      </span>
      <Spark bars={stats === undefined ? [] : barsOf(stats, days)} />
    </>
  );
}

function Fresh({ stats, days }: { readonly stats: Stats; readonly days: number }) {
  const { current, previous } = stats;
  if (current === 0 && previous === 0) {
    return <span className="muted">{text.noneNew(days)}</span>;
  }
  return (
    <>
      <span className="strong num">{text.fresh(count(current))}</span>
      <span className="muted num">{text.before(count(previous))}</span>
    </>
  );
}

function barsOf({ series = [] }: Stats, days: number): readonly Bar[] {
  const shown = unitOf(days) === "week" ? series.slice(-mostWeeks) : series;
  return shown.map(({ from, count: value }, at) => ({
    key: from,
    label: from,
    value,
    isOpen: at === shown.length - 1,
  }));
}
