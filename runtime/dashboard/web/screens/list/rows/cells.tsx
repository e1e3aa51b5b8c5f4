import { Link } from "wouter";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { fileOf, filePath, recordPath, titleOf } from "../../../api/records/descriptors.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Icon } from "../../../parts/button/icon.js";
import { enCell } from "../../../text/en/bulk.js";
import { enList } from "../../../text/en/list.js";
import { enLook } from "../../../text/en/quick-look.js";
import type { Columns } from "./columns.js";
import { as } from "./table-roles.js";

/** The first cell of a row: the picture and the title, which opens the record. */
export function TitleCell({
  shown: { resource, columns, widths, editable },
  row,
  onLook,
  isGone,
  isFresh,
  isSaving,
}: {
  readonly shown: {
    readonly resource: Resource;
    readonly columns: Columns;
    readonly widths: Readonly<Record<string, number>>;
    readonly editable: ReadonlySet<string>;
  };
  readonly row: Row;
  readonly onLook: (id: string) => void;
  /** Whether the row no longer belongs to the list. */
  readonly isGone: boolean;
  /** Whether the value has just changed. */
  readonly isFresh: boolean;
  /** Whether the server does not have the value yet. */
  readonly isSaving: boolean;
}) {
  const title = titleOf(resource, row);
  const { picture } = columns;
  const details = picture === null ? null : fileOf(picture, row);
  const width = widths[columns.title.name];
  return (
    <td
      {...as.cell}
      className="name"
      style={width === undefined ? undefined : { maxWidth: width }}
      data-fresh={isFresh || undefined}
      {...(isSaving ? whileSaving : {})}
      {...editing(editable, columns.title)}
    >
      <span className="who">
        {picture === null ? null : details === null ? (
          <span className="thumb" />
        ) : (
          <img
            className="thumb"
            src={filePath(details, "thumb")}
            alt=""
            width={32}
            height={32}
            loading="lazy"
            decoding="async"
          />
        )}
        <Link className="title cut" href={recordPath(resource.name, row.id)} title={title}>
          {isGone ? <span className="hidden">{enList.goneRow} </span> : null}
          <bdi>{title}</bdi>
        </Link>
        <button
          type="button"
          className="look-at"
          aria-label={enLook.at(title)}
          onClick={() => onLook(row.id)}
        >
          <Icon name="eye" />
        </button>
      </span>
    </td>
  );
}

/** A cell with the value of a field. */
export function ValueCell({
  field,
  row,
  resource,
  width,
  place,
  editable,
  isFresh,
  isSaving,
}: {
  readonly field: Field;
  readonly row: Row;
  readonly resource: Resource;
  readonly width: number | undefined;
  readonly place: string;
  readonly editable: ReadonlySet<string>;
  readonly isFresh: boolean;
  readonly isSaving: boolean;
}) {
  const { cell: Cell, isAtEnd } = kindOf(field);
  return (
    <td
      {...as.cell}
      className={`cut ${isAtEnd ? "end" : ""} ${place}`}
      style={width === undefined ? undefined : { maxWidth: width }}
      data-fresh={isFresh || undefined}
      {...(isSaving ? whileSaving : {})}
      {...editing(editable, field)}
    >
      <Cell field={field} row={row} resource={resource} />
    </td>
  );
}

/** The attributes of a cell that can be edited in place: it takes the focus, and names its field. */
function editing(editable: ReadonlySet<string>, { name }: Field) {
  return editable.has(name) ? { "data-field": name, tabIndex: -1 } : {};
}

/** The attributes of a cell whose value is being written. */
const whileSaving = { "aria-busy": true, title: enCell.saving };
