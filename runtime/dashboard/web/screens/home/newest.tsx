import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { creationKey, hasTime, things, titleField } from "../../api/records/descriptors.js";
import { createdAt } from "../../api/records/fields.js";
import { newestQuery } from "../../api/records/queries.js";
import { printParams } from "../../browser/address/list-address.js";
import { Waiting } from "../../charts/waiting.js";
import { shownParams } from "../../kinds/query/list-parameters.js";
import { enCharts } from "../../text/en/charts.js";
import { enList } from "../../text/en/list.js";
import { RecordRows, usualFields } from "./record-rows.js";

const text = enCharts;

/** The number of records shown. */
const many = 5;

/** The newest records, one per line. */
export function Newest({ resource, all }: { readonly resource: Resource; readonly all: string }) {
  const { user, resources } = useSession();
  const title = titleField(resource);
  const beside = usualFields(resource);
  const times = hasTime(resource, "createdAt") ? [createdAt] : [];
  const columns = [...(title === null ? [] : [title]), ...beside, ...times];
  const query = printParams([
    ["perPage", String(many)],
    ["sort", `-${creationKey(resource)}`],
    ...shownParams(resource, resources, columns),
  ]);
  const newest = useQuery(newestQuery(user.id, resource.name, query));
  const rows = newest.data?.data ?? [];
  return (
    <section className="card panel wide newest" aria-labelledby="newest">
      <div className="head">
        <h2 id="newest" className="grow">
          {text.newest(things(resource))}
        </h2>
        <Link className="small" href={all}>
          {text.allOfThem}
        </Link>
      </div>
      {newest.data === undefined ? (
        <div className="body">
          <Waiting query={newest} />
        </div>
      ) : null}
      {newest.data !== undefined && rows.length === 0 ? (
        <p className="body muted">{enList.none(things(resource))}</p>
      ) : null}
      <RecordRows resource={resource} rows={rows} fields={[...beside, ...times]} />
    </section>
  );
}
