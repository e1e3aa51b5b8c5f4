import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../api/account/session.js";
import type { Field, Resource } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { figuresQuery, type Group } from "../../api/records/numbers.js";
import { aggregateQuery } from "../../api/records/queries.js";
import { decimalsOf } from "../../charts/choices.js";
import { enCharts } from "../../text/en/charts.js";
import { decimal } from "../../text/figures.js";
import "../../parts/page/panel.css";
import "../../parts/page/table.css";
import { Waiting } from "../../charts/waiting.js";

const text = enCharts;
const heads = { sum: text.total, avg: text.avg, min: text.least, max: text.greatest } as const;
const columns = ["sum", "avg", "min", "max"] as const;

/** Sums, averages, minimums and maximums of all number fields, from one request. */
export function Figures({
  resource,
  fields,
}: {
  readonly resource: Resource;
  readonly fields: readonly Field[];
}) {
  const { user } = useSession();
  const query = figuresQuery(fields.map(({ name }) => name));
  const answer = useQuery(aggregateQuery(user.id, resource.name, query));
  const [group] = answer.data?.data ?? [];
  return (
    <section className="card panel wide" aria-labelledby="figures">
      <div className="head">
        <div className="grow">
          <h2 id="figures">{text.figures}</h2>
          <p className="small muted">{text.figuresNote}</p>
        </div>
      </div>
      <div className="body">
        {answer.isError ? (
          <Waiting query={answer} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          // biome-ignore lint/a11y/useSemanticElements: it has no field
          <div className="table-box" role="group" aria-label={text.figures} tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{text.field}</th>
                  {columns.map((column) => (
                    <th key={column} scope="col" className="end">
                      {heads[column]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {fields.map((field) => (
                  <tr key={field.name}>
                    <th scope="row">
                      <bdi>{labelOf(field)}</bdi>
                    </th>
                    {columns.map((column) => (
                      <td key={column} className="end">
                        {figure(resource, group, { column, field })}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </section>
  );
}

function figure(
  resource: Resource,
  group: Group | undefined,
  { column, field }: { readonly column: (typeof columns)[number]; readonly field: Field },
): string {
  if (group === undefined) return text.unknown;
  const value = group[column]?.[field.name] ?? null;
  if (value === null) return text.noFigure;
  return decimal(
    value,
    decimalsOf(resource, { kind: column === "avg" ? "avg" : "sum", field: field.name }),
  );
}
