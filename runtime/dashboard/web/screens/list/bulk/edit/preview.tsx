import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../../../api/account/session.js";
import { call } from "../../../../api/client/client.js";
import type { Field, Page, Resource, Row } from "../../../../api/client/types.js";
import { labelOf, linked, titleField, titleOf } from "../../../../api/records/descriptors.js";
import "../bulk.css";
import { printParams } from "../../../../browser/address/list-address.js";
import { controlOf } from "../../../../kinds/input/inputs.js";
import { kindOf } from "../../../../kinds/kinds.js";
import { shownParams } from "../../../../kinds/query/list-parameters.js";
import { enBulk } from "../../../../text/en/bulk.js";
import { en } from "../../../../text/en/en.js";
import { count } from "../../../../text/format.js";
import type { Selection } from "../../rows/selection.js";

const text = enBulk;

/** Maximum number of records in the preview. */
const mostShown = 5;

/** A field, and the value that all records get, as typed. */
export interface Entry {
  readonly field: Field;
  readonly typed: string;
}

/** The first selected records with their current values, and below them the new ones. */
export function EditPreview({
  resource,
  selection,
  total,
  entries,
}: {
  readonly resource: Resource;
  readonly selection: Selection;
  readonly total: number;
  readonly entries: readonly Entry[];
}) {
  const { user, resources } = useSession();
  const fields = entries.map(({ field }) => field).filter(({ readable }) => readable !== false);
  const title = titleField(resource);
  const query = printParams([
    ...shownParams(resource, resources, title === null ? fields : [title, ...fields]),
    ["perPage", String(mostShown)],
  ]);
  const path = `/${resource.name}?${conditionOf(selection)}&${query}`;
  const found = useQuery({
    queryKey: [user.id, "preview", path],
    queryFn: ({ signal }) => call<Page<Row>>("GET", path, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const rows = found.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <div className="stack near">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="table-box edited" aria-label={text.preview} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{resource.singular}</th>
              {entries.map(({ field, typed }) => {
                const Shown = controlOf(field).shown;
                return (
                  <th key={field.name} scope="col">
                    <bdi>{labelOf(field)}</bdi>: <Shown field={field} typed={typed} />
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" className="cut">
                  <bdi>{titleOf(resource, row)}</bdi>
                </th>
                {entries.map((entry) => (
                  <td key={entry.field.name} className="cut">
                    <Before entry={entry} row={row} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {total > rows.length ? (
        <p className="muted">{text.more(count(total - rows.length))}</p>
      ) : null}
    </div>
  );
}

/** A record's current value; struck out if it will be replaced. */
function Before({ entry: { field, typed }, row }: { readonly entry: Entry; readonly row: Row }) {
  const { resources } = useSession();
  const record = linked(field, row);
  const target = resources.find(({ name }) => name === field.resource);
  const { print, form } = kindOf(field);
  const value = row[field.name];
  const now = print(field, value, record === null ? null : titleOf(target, record));
  if (form.compare(field, form.typed(value, field), typed)) {
    return <span className="muted">{text.unchanged}</span>;
  }
  return <del>{now === "" ? en.common.empty : <bdi>{now}</bdi>}</del>;
}

function conditionOf(selection: Selection): string {
  if (selection.kind === "all") return selection.condition;
  const chosen = selection.kind === "some" ? selection.chosen.slice(0, mostShown) : [];
  return printParams([["filter[id][in]", chosen.map(({ id }) => id).join(",")]]);
}
