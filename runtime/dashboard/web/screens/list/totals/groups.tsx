import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../../api/account/session.js";
import { sentence } from "../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { labelOf, listPath, things, titleOf } from "../../../api/records/descriptors.js";
import type { Group } from "../../../api/records/numbers.js";
import { aggregateQuery } from "../../../api/records/queries.js";
import { printList } from "../../../browser/address/list-address.js";
import { valueName } from "../../../charts/value-name.js";
import type { GroupChoice } from "../../../kinds/query/list-groups.js";
import { Button } from "../../../parts/button/button.js";
import { Failure } from "../../../parts/page/page.js";
import { SkeletonRows } from "../../../parts/page/skeleton-rows.js";
import "../../../parts/page/table.css";
import { period } from "../../../text/dates.js";
import { enCharts } from "../../../text/en/charts.js";
import { enList } from "../../../text/en/list.js";
import { enTotals } from "../../../text/en/lists/totals.js";
import { count, listed } from "../../../text/format.js";
import { groupsIn, groupsQuery, mostGroups, totalledIn, totalText } from "./figures.js";
import type { GroupsProps } from "./foot.js";
import { narrowedTo } from "./group-conditions.js";
import "./totals.css";

const text = enTotals;

/** A list grouped by one or two fields: a row with totals for each group, which opens the group's records. */
export default function Groups({ resource, state }: GroupsProps) {
  const { user, resources } = useSession();
  const { listing, columns, ask } = state;
  const groups = groupsIn(resource, listing);
  const fields = totalledIn(columns);
  const total = listing.total ?? "sum";
  const query = groupsQuery(resource, listing, { total, fields, resources });
  const answer = useQuery({
    ...aggregateQuery(user.id, resource.name, query),
    placeholderData: keepPreviousData,
  });
  const names = listed(
    groups.map(({ label }) => label),
    "and",
  );
  return (
    <div className="grouped">
      <p className="grouped-by row wrap">
        <span className="muted">{text.grouped(names)}</span>
        <Button size="small" icon="close" onPress={() => ask({ by: [] })}>
          {text.ungroup}
        </Button>
      </p>
      {answer.isError ? (
        <div className="content">
          <Failure text={sentence(answer.error)} onRetry={() => void answer.refetch()} />
        </div>
      ) : answer.data === undefined ? (
        <SkeletonRows columns={groups.length + fields.length + 1} />
      ) : answer.data.data.length === 0 ? (
        <div className="content">
          <p className="strong">{enList.noneMatch(resource.label)}</p>
        </div>
      ) : (
        <Table
          resource={resource}
          state={state}
          groups={groups}
          fields={fields}
          rows={answer.data.data}
          caption={text.caption(things(resource), names)}
        />
      )}
      {answer.data?.meta.more === true ? (
        <p className="content muted">{text.firstGroups(count(mostGroups))}</p>
      ) : null}
    </div>
  );
}

function Table({
  resource,
  state: { listing },
  groups,
  fields,
  rows,
  caption,
}: GroupsProps & {
  readonly groups: readonly GroupChoice[];
  readonly fields: readonly Field[];
  readonly rows: readonly Group[];
  readonly caption: string;
}) {
  const total = listing.total ?? "sum";
  const { resources } = useSession();
  return (
    <div className="table-box">
      <table className="table">
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {groups.map(({ key, label }) => (
              <th key={key} scope="col">
                <bdi>{label}</bdi>
              </th>
            ))}
            <th scope="col" className="end">
              {text.count}
            </th>
            {fields.map((field) => (
              <th key={field.name} scope="col" className="end">
                <bdi>{`${text.totals[total]}: ${labelOf(field)}`}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((group) => {
            const [first, ...others] = groups.map((choice) => nameOf(choice, group, resources));
            const values = groups.map((choice) => ({ choice, value: groupValue(choice, group) }));
            const conditions = narrowedTo(listing.conditions, values);
            return (
              <tr key={JSON.stringify(values.map(({ value }) => value))}>
                <th scope="row">
                  {conditions === null ? (
                    <bdi>{first}</bdi>
                  ) : (
                    <Link
                      className="title"
                      href={`${listPath(resource)}?${printList({ ...listing, conditions, by: [], page: 1, view: null })}`}
                    >
                      <bdi>{first}</bdi>
                    </Link>
                  )}
                </th>
                {others.map((name, at) => (
                  <td key={groups[at + 1]?.key}>
                    <bdi>{name}</bdi>
                  </td>
                ))}
                <td className="end">{count(group.count)}</td>
                {fields.map((field) => (
                  <td key={field.name} className="end">
                    {totalText(resource, group, { total, field }) ?? enCharts.noFigure}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function groupValue({ field }: GroupChoice, { by }: Group): string | boolean | null {
  return by[field.name] ?? null;
}

/** Formats the value of a group. */
function nameOf(choice: GroupChoice, group: Group, resources: readonly Resource[]): string {
  const { field, unit } = choice;
  const value = groupValue(choice, group);
  if (value === null) return enCharts.noValue;
  if (unit !== null) {
    const { whole } = period(String(value), unit);
    return unit === "week" ? text.weekOf(whole) : whole;
  }
  if (field.link === undefined) return valueName(field, value);
  const record: unknown = group.by[field.link];
  const target = resources.find(({ name }) => name === field.resource);
  return titleOf(target, (record as Row | null | undefined) ?? { id: String(value) });
}
