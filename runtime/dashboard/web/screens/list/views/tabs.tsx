import { Link, useSearch } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import { listPath, may } from "../../../api/records/descriptors.js";
import { type View, viewPath } from "../../../browser/storage/views.js";
import { ResourceIcon } from "../../../parts/button/resource-icon.js";
import { enApi } from "../../../text/en/api.js";
import { enCharts } from "../../../text/en/charts.js";
import { enList } from "../../../text/en/list.js";
import { count } from "../../../text/format.js";

const text = enList;

/** The tabs for all records and for saved views, with cached totals. */
export function ViewTabs({
  resource,
  views,
  current,
  totalOf,
}: {
  readonly resource: Resource;
  readonly views: readonly View[];
  readonly current: string | null;
  readonly totalOf: (view: View | null) => number | null;
}) {
  const { operator } = useSession();
  const search = useSearch();
  const isAll = !views.some(({ id }) => id === current);
  return (
    <nav className="tabs" aria-label={text.views}>
      <Link href={listPath(resource)} aria-current={isAll ? "page" : undefined}>
        {text.all} <Total value={totalOf(null)} />
      </Link>
      {views.map((view) => (
        <Link
          key={view.id}
          href={viewPath(listPath(resource), view)}
          aria-current={view.id === current ? "page" : undefined}
        >
          {view.shared === undefined ? null : (
            <>
              <ResourceIcon name="people" />
              <span className="hidden">{text.sharedView}</span>
            </>
          )}
          <bdi>{view.name}</bdi> <Total value={totalOf(view)} />
        </Link>
      ))}
      {may(resource, "stats") ? (
        <Link href={`${listPath(resource)}/charts`}>{enCharts.tab}</Link>
      ) : null}
      {operator ? (
        <Link href={`${listPath(resource)}/api${search === "" ? "" : `?${search}`}`}>
          {enApi.tab}
        </Link>
      ) : null}
    </nav>
  );
}

function Total({ value }: { readonly value: number | null }) {
  return value === null ? null : <span className="count">{count(value)}</span>;
}
