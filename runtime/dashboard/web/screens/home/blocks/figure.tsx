import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../../api/account/session.js";
import { listAddress, listPath, may } from "../../../api/records/descriptors.js";
import { aggregateQuery } from "../../../api/records/queries.js";
import { printParams } from "../../../browser/address/list-address.js";
import { decimalsOf } from "../../../charts/choices.js";
import { conditionParams } from "../../../kinds/query/list-parameters.js";
import { ResourceIcon } from "../../../parts/button/resource-icon.js";
import "../../../parts/chart/tile.css";
import { enCharts } from "../../../text/en/charts.js";
import { enHome } from "../../../text/en/home/home.js";
import { decimal } from "../../../text/figures.js";
import { count } from "../../../text/format.js";
import type { Figure, ShownList } from "./resolve.js";

/** One number of a list: how many records it has, or the total of a column. */
export function FigureBlock({
  name,
  list: { resource, listing, search },
  figure,
}: {
  readonly name: string;
  readonly list: ShownList;
  readonly figure: Figure;
}) {
  const { user } = useSession();
  const query = printParams([
    ...conditionParams(resource, listing),
    ...(figure === null ? [] : [[figure.total, figure.field.name] as const]),
  ]);
  const answer = useQuery(aggregateQuery(user.id, resource.name, query));
  const [group] = answer.data?.data ?? [];
  const print = () => {
    if (answer.data === undefined) return enHome.unknown;
    if (figure === null) return count(group?.count ?? 0);
    const { total, field } = figure;
    const value = group?.[total]?.[field.name] ?? null;
    const kind = total === "avg" ? "avg" : "sum";
    if (value === null) return enCharts.noFigure;
    return decimal(value, decimalsOf(resource, { kind, field: field.name }));
  };
  return (
    <Link
      className="card tile"
      href={may(resource, "list") ? listAddress(resource, search) : `${listPath(resource)}/charts`}
    >
      <span className="row muted small">
        <ResourceIcon name={resource.icon} />
        <bdi>{name}</bdi>
      </span>
      <span className="figure">{print()}</span>
      {answer.isError ? <span className="small muted">{enHome.failed}</span> : null}
    </Link>
  );
}
