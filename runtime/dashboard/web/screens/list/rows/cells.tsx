import { Link } from "wouter";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { fileOf, filePath, recordPath, titleOf } from "../../../api/records/descriptors.js";
import type { Highlights } from "../../../api/records/words.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Marked, withoutMarks } from "../../../kinds/value/marked.js";
import { Icon } from "../../../parts/button/icon.js";
import { enCell } from "../../../text/en/bulk.js";
import { enList } from "../../../text/en/list.js";
import { enLook } from "../../../text/en/quick-look.js";
import type { Columns } from "./columns.js";
import { as } from "./table-roles.js";

/** The first cell of a row: the picture and the title, which opens the record. */
export function TitleCell({
  shown: { resource, columns, highlights, widths, editable },
  row,
  onLook,
  isGone,
  isFresh,
  isSaving,
}: {
  readonly shown: {
    readonly resource: Resource;
    readonly columns: Columns;
    readonly highlights: Highlights;
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
  const found = highlights[row.id] ?? {};
  const named = found[columns.title.name];
  const elsewhere = hiddenHighlight(columns, found);
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
          {named !== undefined && withoutMarks(named) === title ? (
            <Marked html={named} />
          ) : (
            <bdi>{title}</bdi>
          )}
        </Link>
        {elsewhere === null ? null : (
          <span className="small muted cut only-wide">
            <Marked html={elsewhere} />
          </span>
        )}
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

/** Shows the matching text if no column shows it. */
function hiddenHighlight(
  { title, rest }: Columns,
  found: Readonly<Record<string, string>>,
): string | null {
  const isShown = (name: string) => [title, ...rest].some((field) => field.name === name);
  const entries = Object.entries(found);
  if (entries.some(([name]) => isShown(name))) return null;
  return entries[0]?.[1] ?? null;
}

export function ValueCell({
  field,
  row,
  resource,
  highlight,
  width,
  place,
  editable,
  isFresh,
  isSaving,
}: {
  readonly field: Field;
  readonly row: Row;
  readonly resource: Resource;
  /** The value with the search's matches marked. */
  readonly highlight: string | undefined;
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
      {highlight === undefined ? (
        <Cell field={field} row={row} resource={resource} />
      ) : (
        <Marked html={highlight} />
      )}
    </td>
  );
}

/** The attributes of a cell that can be edited in place: it takes the focus, and names its field. */
function editing(editable: ReadonlySet<string>, { name }: Field) {
  return editable.has(name) ? { "data-field": name, tabIndex: -1 } : {};
}

/** The attributes of a cell whose value is being written. */
const whileSaving = { "aria-busy": true, title: enCell.saving };
