import { memo, type ReactNode, useEffect, useRef } from "react";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { inSentence, labelOf, things } from "../../../api/records/descriptors.js";
import type { Highlights } from "../../../api/records/words.js";
import type { Sort } from "../../../browser/address/list-address.js";
import { enList } from "../../../text/en/list.js";
import { listed } from "../../../text/format.js";
import "../../../parts/page/table.css";
import { TitleCell, ValueCell } from "./cells.js";
import { type Columns, cardPlaces } from "./columns.js";
import { HeadCell, PageBox } from "./head-cell.js";
import { onTableFocus, onTableKey } from "./row-keys.js";
import "./rows.css";
import "./cards.css";
import { type Chosen, isChosen, type Selection, type SelectionEvent } from "./selection.js";
import type { Sorting } from "./sorting.js";
import { as } from "./table-roles.js";

const text = enList;

/** The content of the table as one value, so that typing does not render it again. */
export interface Shown {
  readonly resource: Resource;
  readonly columns: Columns;
  readonly rows: readonly Row[];
  /** The matches of a search. */
  readonly highlights: Highlights;
  readonly page: readonly Chosen[];
  readonly sort: readonly Sort[];
  readonly widths: Readonly<Record<string, number>>;
  readonly isCompact: boolean;
  readonly isOld: boolean;
  /** The columns whose cells can be edited in place. */
  readonly editable: ReadonlySet<string>;
  /** The field whose pictures are shown as a gallery; null for a table. */
  readonly gallery: Field | null;
}

/** Changes of rows while they are displayed. */
export interface Marks {
  /** Rows that no longer belong to the list. */
  readonly gone: ReadonlySet<string>;
  /** The columns whose values have just changed, by row. */
  readonly fresh: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The fields that are not saved yet, by row. */
export type Saving = ReadonlyMap<string, ReadonlySet<string>>;

export const noMarks: Marks = { gone: new Set(), fresh: new Map() };

export interface RowsProps {
  readonly shown: Shown;
  readonly selection: Selection;
  /** Called when the selection changes; null if rows cannot be selected. */
  readonly onSelect: ((event: SelectionEvent) => void) | null;
  readonly onSort: (field: string, how: Sorting) => void;
  readonly onWidth: (field: string, width: number | null) => void;
  /** Opens a row next to the list. */
  readonly onLook: (id: string) => void;
  /** Called when a row, or an element in it, gets the focus. */
  readonly onReach: (id: string) => void;
  /** The row that is open next to the list. */
  readonly looked: string | null;
  /** The changes since the page was displayed. */
  readonly marks: Marks;
  /** The values that are not saved yet. */
  readonly saving: Saving;
  /** The last row, with the totals of columns; null if they are not shown. */
  readonly foot: ReactNode;
}

/**
 * The table with all rows of a page. It is one tab stop, and the arrow keys move within it. It renders only when its
 * contents change: 100 rows of 12 columns take longer than a keystroke may.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one table, whose rows share its callbacks
export const Rows = memo(function Rows(props: RowsProps) {
  const { shown, selection, onSelect, onSort, onWidth, onLook, onReach, looked, marks, saving } =
    props;
  const { resource, columns, rows, page, sort, widths } = shown;
  const table = useRef<HTMLTableElement>(null);
  const places = cardPlaces(columns);
  const fields = [columns.title, ...columns.rest];
  useEffect(() => {
    // Reached by the arrow keys: a table of links would be hundreds of tab stops.
    for (const one of table.current?.querySelectorAll("tr :is(a, button, input)") ?? []) {
      one.setAttribute("tabindex", "-1");
    }
  });
  const sortWords = sort.map(({ field, isDescending }) => {
    const label = labelOf(fields.find(({ name }) => name === field) ?? { name: field });
    return (isDescending ? text.descending : text.ascending)(inSentence(label));
  });
  return (
    <table
      ref={table}
      {...as.table}
      className="table cards"
      data-compact={shown.isCompact || undefined}
      data-old={shown.isOld || undefined}
      aria-busy={shown.isOld}
      onKeyDown={onTableKey}
      onFocus={(event) => {
        onTableFocus(event);
        const { id } = event.target.closest("tr")?.dataset ?? {};
        if (id !== undefined) onReach(id);
      }}
    >
      <caption className="hidden">
        {text.caption(things(resource), listed(sortWords, "and"))}
        <span>. {text.rowsKeys}</span>
      </caption>
      <thead {...as.rowgroup}>
        <tr {...as.row} tabIndex={rows.length === 0 ? 0 : -1}>
          {onSelect === null ? null : (
            <th {...as.columnheader} scope="col" className="pick">
              <PageBox page={page} selection={selection} onSelect={onSelect} isHead />
            </th>
          )}
          {fields.map((field) => (
            <HeadCell
              key={field.name}
              field={field}
              sort={sort}
              width={widths[field.name]}
              onSort={onSort}
              onWidth={onWidth}
            />
          ))}
        </tr>
      </thead>
      <tbody {...as.rowgroup}>
        {rows.map((row, at) => {
          const chosen = page[at];
          const isOn = isChosen(selection, row.id);
          return (
            <tr
              key={row.id}
              {...as.row}
              tabIndex={at === 0 ? 0 : -1}
              data-id={row.id}
              data-looked={looked === row.id || undefined}
              data-gone={marks.gone.has(row.id) || undefined}
              {...(onSelect === null ? {} : { "aria-selected": isOn })}
            >
              {onSelect === null || chosen === undefined ? null : (
                <td {...as.cell} className="pick">
                  <label className="hit">
                    <span className="hidden">{text.select(chosen.title)}</span>
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
                </td>
              )}
              <TitleCell
                shown={shown}
                row={row}
                onLook={onLook}
                isGone={marks.gone.has(row.id)}
                isFresh={marks.fresh.get(row.id)?.has(columns.title.name) === true}
                isSaving={saving.get(row.id)?.has(columns.title.name) === true}
              />
              {columns.rest.map((field) => (
                <ValueCell
                  key={field.name}
                  field={field}
                  row={row}
                  resource={resource}
                  highlight={shown.highlights[row.id]?.[field.name]}
                  width={widths[field.name]}
                  place={places[field.name] ?? "gone"}
                  editable={shown.editable}
                  isFresh={marks.fresh.get(row.id)?.has(field.name) === true}
                  isSaving={saving.get(row.id)?.has(field.name) === true}
                />
              ))}
            </tr>
          );
        })}
      </tbody>
      {props.foot}
    </table>
  );
});
