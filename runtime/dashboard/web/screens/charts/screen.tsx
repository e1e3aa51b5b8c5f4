import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { isStatus } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { hasTime, labelOf, listPath, may, things } from "../../api/records/descriptors.js";
import { periods, totalsQuery, usualPeriod } from "../../api/records/numbers.js";
import { statsQuery } from "../../api/records/queries.js";
import { countedFields, numberFields } from "../../charts/choices.js";
import { NewRecords } from "../../charts/new-records.js";
import { Values } from "../../charts/values.js";
import { AddToHome } from "../../home/add-button.js";
import { Period, usePeriod } from "../../parts/chart/period.js";
import { Title } from "../../parts/page/page.js";
import { enCharts } from "../../text/en/charts.js";
import { Explore } from "./explore.js";
import { Figures } from "./figures.js";
import "../../parts/page/panel.css";

const text = enCharts;

/** The charts of a resource: new records, values and sums. */
export default function Charts({ resource }: { readonly resource: Resource }) {
  const { user } = useSession();
  const [days, setDays] = usePeriod(periods, usualPeriod);
  const isOpen = may(resource, "stats");
  const totals = useQuery({
    ...statsQuery(user.id, resource.name, totalsQuery(days, resource)),
    enabled: isOpen,
  });
  const isForbidden = !isOpen || isStatus(totals.error, 403);
  const isNone = totals.data?.total === 0;
  return (
    <>
      <div className="top">
        <Title>{text.title(resource.label)}</Title>
        {isForbidden || isNone ? null : (
          <Period periods={periods} value={days} onChange={setDays} />
        )}
      </div>
      {may(resource, "list") ? (
        <nav className="tabs" aria-label={text.views(things(resource))}>
          <Link href={listPath(resource)}>{text.all}</Link>
          <Link href={`${listPath(resource)}/charts`} aria-current="page">
            {text.tab}
          </Link>
        </nav>
      ) : null}
      <div className="content">
        {isForbidden ? <p className="muted">{text.forbidden(resource.label)}</p> : null}
        {isNone ? <p className="muted">{text.none(things(resource))}</p> : null}
        {isForbidden || isNone ? null : <Panels resource={resource} days={days} />}
      </div>
    </>
  );
}

function Panels({ resource, days }: { readonly resource: Resource; readonly days: number }) {
  const { name } = resource;
  const numbers = numberFields(resource);
  return (
    <div className="panels">
      {hasTime(resource, "createdAt") ? (
        <NewRecords
          resource={resource}
          days={days}
          action={
            <AddToHome block={{ kind: "new", resource: name }} name={text.newOf(resource.label)} />
          }
        />
      ) : null}
      {countedFields(resource).map((field) => (
        <Values
          key={field.name}
          resource={resource}
          field={field}
          action={
            <AddToHome
              block={{ kind: "values", resource: name, field: field.name }}
              name={text.byField(labelOf(field))}
            />
          }
        />
      ))}
      {numbers.length === 0 ? null : <Figures resource={resource} fields={numbers} />}
      <Explore resource={resource} />
    </div>
  );
}
