import { Link } from "wouter";
import type { Resource } from "../../api/client/types.js";
import { hasTime, listPath, may } from "../../api/records/descriptors.js";
import { type Stats, unitOf } from "../../api/records/numbers.js";
import { ResourceIcon } from "../../parts/button/resource-icon.js";
import { type Bar, Spark } from "../../parts/chart/chart.js";
import "../../parts/chart/tile.css";
import { enHome } from "../../text/en/home/home.js";
import { count } from "../../text/format.js";

const text = enHome;

export interface TileProps {
  readonly resource: Resource;
  readonly days: number;
  /** Undefined until loaded. */
  readonly stats: Stats | undefined;
  readonly isFailed: boolean;
}

/** A quarter has thirteen weeks; a fourteenth would have just begun. */
const mostWeeks = 13;

/** A resource with its total and its new records. */
export function Tile({ resource, days, stats, isFailed }: TileProps) {
  const href = may(resource, "list") ? listPath(resource) : `${listPath(resource)}/charts`;
  return (
    <Link className="card tile" href={href}>
      <span className="row muted small">
        <ResourceIcon name={resource.icon} />
        <bdi className="cut">{resource.label}</bdi>
      </span>
      <span className="figure">{stats === undefined ? text.unknown : count(stats.total)}</span>
      <span className="small">
        {isFailed ? <span className="muted">{text.failed}</span> : null}
        {stats === undefined || isFailed || !hasTime(resource, "createdAt") ? null : (
          <Fresh stats={stats} days={days} />
        )}
      </span>
      <Spark bars={stats === undefined ? [] : barsOf(stats, days)} />
    </Link>
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
