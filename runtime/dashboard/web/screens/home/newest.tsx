import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Field, Resource } from "../../api/client/types.js";
import {
  creationKey,
  hasTime,
  readableFields,
  recordPath,
  things,
  titleField,
  titleOf,
} from "../../api/records/descriptors.js";
import { createdAt } from "../../api/records/fields.js";
import { newestQuery } from "../../api/records/queries.js";
import { printParams } from "../../browser/address/list-address.js";
import { Waiting } from "../../charts/waiting.js";
import { shownParams } from "../../kinds/filter/list-parameters.js";
import { kindOf } from "../../kinds/kinds.js";
import { enCharts } from "../../text/en/charts.js";
import { enList } from "../../text/en/list.js";

const text = enCharts;

/** The number of records shown. */
const many = 5;

/** The newest records, one per line. */
export function Newest({ resource, all }: { readonly resource: Resource; readonly all: string }) {
  const { user, resources } = useSession();
  const title = titleField(resource);
  const beside = besideOf(resource, title);
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
      <ul className="rows">
        {rows.map((row) => (
          <li key={row.id}>
            <Link className="strong cut grow" href={recordPath(resource.name, row.id)}>
              <bdi>{titleOf(resource, row)}</bdi>
            </Link>
            {[...beside, ...times].map((field) => {
              const { cell: Cell, isAtEnd } = kindOf(field);
              const place = field === createdAt ? "when" : isAtEnd ? "end num" : "wide-only";
              return (
                <span key={field.name} className={`cut small ${place}`}>
                  <Cell field={field} row={row} resource={resource} />
                </span>
              );
            })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The first link, the first enum and the first number. */
function besideOf(resource: Resource, title: Field | null): readonly Field[] {
  const fields = readableFields(resource).filter((field) => field !== title);
  const link = fields.find((one) => one.resource !== undefined);
  const choice = fields.find(({ values }) => values !== undefined);
  const number = fields.find((field) => kindOf(field).isAtEnd);
  return [link, choice, number].filter((field) => field !== undefined);
}
