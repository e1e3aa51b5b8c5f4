import { Link } from "wouter";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { altOf, labelOf, recordPath, things, titleOf } from "../../../api/records/descriptors.js";
import type { CellProps } from "../../../kinds/kind.js";
import { kindOf } from "../../../kinds/kinds.js";
import { pathOfWidth } from "../../../kinds/value/pictures.js";
import { ResourceIcon } from "../../../parts/button/resource-icon.js";
import { enList } from "../../../text/en/list.js";
import type { RowsProps } from "../rows/rows.js";
import { isChosen } from "../rows/selection.js";
import "./gallery.css";

/** Minimum width of a picture in pixels: the width of a card in most windows. */
const leastWidth = 240;
/** Maximum number of fields below the title. */
const mostFields = 2;

/** The records of a page as cards with their pictures. */
export default function Cards({ shown, selection, onSelect, marks }: RowsProps) {
  const { resource, columns, rows, page, gallery, isOld } = shown;
  if (gallery === null) return null;
  const fields = columns.rest.filter(({ name }) => name !== gallery.name).slice(0, mostFields);
  return (
    <ul
      className="gallery-cards content"
      aria-label={things(resource)}
      aria-busy={isOld}
      data-old={isOld || undefined}
    >
      {rows.map((row, at) => {
        const chosen = page[at];
        const isOn = isChosen(selection, row.id);
        return (
          <li
            key={row.id}
            data-chosen={isOn || undefined}
            data-gone={marks.gone.has(row.id) || undefined}
          >
            <Picture field={gallery} row={row} resource={resource} />
            <Link className="title cut" href={recordPath(resource.name, row.id)}>
              {marks.gone.has(row.id) ? <span className="hidden">{enList.goneRow} </span> : null}
              <bdi>{titleOf(resource, row)}</bdi>
            </Link>
            <Facts fields={fields} row={row} resource={resource} />
            {onSelect === null || chosen === undefined ? null : (
              <label className="hit pick">
                <span className="hidden">{enList.select(chosen.title)}</span>
                <input
                  className="check"
                  type="checkbox"
                  checked={isOn}
                  onChange={(event) =>
                    onSelect({
                      kind: (event.nativeEvent as MouseEvent).shiftKey ? "range" : "toggle",
                      row: chosen,
                      page,
                    })
                  }
                />
              </label>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The first picture of the record, in the smallest rendition that is wide enough. */
function Picture({ field, row, resource }: CellProps) {
  const details = kindOf(field).picture?.(field, row) ?? null;
  if (details === null) {
    return (
      <span className="picture">
        <ResourceIcon name={resource.icon} />
      </span>
    );
  }
  return (
    <img
      className="picture"
      src={pathOfWidth(details, leastWidth)}
      alt={altOf(field, row) ?? ""}
      loading="lazy"
      decoding="async"
    />
  );
}

function Facts({
  fields,
  row,
  resource,
}: {
  readonly fields: readonly Field[];
  readonly row: Row;
  readonly resource: Resource;
}) {
  return (
    <dl>
      {fields.map((field) => {
        const Cell = kindOf(field).cell;
        return (
          <div key={field.name} className="cut">
            <dt className="hidden">{labelOf(field)}</dt>
            <dd>
              <Cell field={field} row={row} resource={resource} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
