import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "wouter";
import { useSession } from "../../../api/account/session.js";
import { listAddress, things, titleField } from "../../../api/records/descriptors.js";
import { listQuery } from "../../../api/records/queries.js";
import { printParams } from "../../../browser/address/list-address.js";
import { Waiting } from "../../../charts/waiting.js";
import { conditionParams, shownParams, sortParams } from "../../../kinds/query/list-parameters.js";
import { enCharts } from "../../../text/en/charts.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import { enList } from "../../../text/en/list.js";
import { count } from "../../../text/format.js";
import { RecordRows, usualFields } from "../record-rows.js";
import { chosenFields, type ShownList } from "./resolve.js";

/** Maximum number of records shown. */
const many = 5;
/** Maximum number of fields next to the title. */
const mostFields = 3;

/** The first records of a list, and the total. */
export function RecordsBlock({
  name,
  list: { resource, listing, search },
  columns,
}: {
  readonly name: string;
  readonly list: ShownList;
  readonly columns: readonly string[] | null;
}) {
  const { user, resources } = useSession();
  const id = useId();
  const title = titleField(resource);
  const chosen = chosenFields(resource, columns) ?? usualFields(resource);
  const fields = chosen.filter((field) => field !== title).slice(0, mostFields);
  const query = printParams([
    ...conditionParams(resource, listing),
    ...sortParams(listing),
    ["perPage", String(many)],
    ...shownParams(resource, resources, title === null ? fields : [title, ...fields]),
  ]);
  const list = useQuery(listQuery(user.id, resource.name, query));
  const rows = list.data?.data ?? [];
  const total = list.data?.meta.total ?? 0;
  return (
    <section className="card panel wide newest" aria-labelledby={id}>
      <div className="head">
        <div className="grow">
          <h2 id={id}>
            <bdi>{name}</bdi>
          </h2>
          {total > rows.length ? (
            <p className="small muted">{enBlocks.firstOf(count(rows.length), count(total))}</p>
          ) : null}
        </div>
        <Link
          className="small"
          href={listAddress(resource, search)}
          aria-label={enBlocks.openList(name)}
        >
          {enCharts.allOfThem}
        </Link>
      </div>
      {list.data === undefined ? (
        <div className="body">
          <Waiting query={list} />
        </div>
      ) : null}
      {list.data !== undefined && rows.length === 0 ? (
        <p className="body muted">
          {search === "" ? enList.none(things(resource)) : enList.noneMatch(resource.label)}
        </p>
      ) : null}
      <RecordRows resource={resource} rows={rows} fields={fields} />
    </section>
  );
}
