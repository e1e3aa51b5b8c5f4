import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { Field } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import type { Sort } from "../../../browser/address/list-address.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Icon } from "../../../parts/button/icon.js";
import { enList } from "../../../text/en/list.js";
import { leastWidth } from "./columns.js";
import "./head-cell.css";
import { type Chosen, isChosen, type Selection, type SelectionEvent } from "./selection.js";
import type { Sorting } from "./sorting.js";

const text = enList;

/** The step, in pixels, by which an arrow key changes a column's width. */
const step = 16;

/** The explicit role: a table cell laid out as part of a card loses it. */
const asColumnHeader = { role: "columnheader" } as const;

export interface HeadCellProps {
  readonly field: Field;
  readonly sort: readonly Sort[];
  readonly width: number | undefined;
  readonly onSort: (field: string, how: Sorting) => void;
  /** A width of null fits the column to its contents. */
  readonly onWidth: (field: string, width: number | null) => void;
}

export function HeadCell({ field, sort, width, onSort, onWidth }: HeadCellProps) {
  const cell = useRef<HTMLTableCellElement>(null);
  const { isSortable, isAtEnd } = kindOf(field);
  const at = sort.findIndex((one) => one.field === field.name);
  const found = sort[at];
  const label = labelOf(field);
  return (
    <th
      ref={cell}
      {...asColumnHeader}
      scope="col"
      className={isAtEnd ? "end" : undefined}
      style={width === undefined ? undefined : { width, minWidth: width, maxWidth: width }}
      {...(at === 0 ? { "aria-sort": found?.isDescending ? "descending" : "ascending" } : {})}
    >
      {isSortable && field.name !== "id" ? (
        <button
          type="button"
          className="sort"
          data-sorted={found !== undefined || undefined}
          onClick={(event) => onSort(field.name, { isAdded: event.shiftKey })}
        >
          {found === undefined ? null : <Icon name={found.isDescending ? "falling" : "rising"} />}
          <bdi className="cut">{label}</bdi>
          {found === undefined || sort.length < 2 ? null : (
            <>
              <span className="count" aria-hidden="true">
                {at + 1}
              </span>
              <span className="hidden">{text.sortedAs(at + 1)}</span>
            </>
          )}
        </button>
      ) : (
        <bdi className="cut">{label}</bdi>
      )}
      <Handle
        label={text.width(label)}
        width={width}
        measure={() => cell.current?.offsetWidth ?? leastWidth}
        onWidth={(next) => onWidth(field.name, next)}
      />
    </th>
  );
}

/** The handle of a column's edge: can be dragged or moved by the arrow keys; a double click fits the column. */
function Handle({
  label,
  width,
  measure,
  onWidth,
}: {
  readonly label: string;
  readonly width: number | undefined;
  readonly measure: () => number;
  readonly onWidth: (width: number | null) => void;
}) {
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: step, ArrowLeft: -step }[event.key];
    if (by === undefined || !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(Math.max(leastWidth, measure() + by));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (from.current === null) return;
    onWidth(Math.max(leastWidth, from.current.width + event.clientX - from.current.x));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={leastWidth}
      aria-valuenow={width ?? 0}
      aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
      className="resize"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onWidth(null)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: measure() };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null;
      }}
    />
  );
}

export interface PageBoxProps {
  readonly page: readonly Chosen[];
  readonly selection: Selection;
  readonly onSelect: (event: SelectionEvent) => void;
}

/** The checkbox that selects all rows of the page. The label is visible unless the checkbox is in a column heading. */
export function PageBox({
  page,
  selection,
  onSelect,
  isHead = false,
}: PageBoxProps & { readonly isHead?: boolean }) {
  const isWhole = page.length > 0 && page.every(({ id }) => isChosen(selection, id));
  const isSome = !isWhole && page.some(({ id }) => isChosen(selection, id));
  return (
    <label className={isHead ? "hit" : "option"}>
      <input
        className="check"
        type="checkbox"
        checked={isWhole}
        ref={(box) => {
          if (box !== null) box.indeterminate = isSome;
        }}
        onChange={() => onSelect({ kind: "page", page, isOn: !isWhole })}
      />
      <span className={isHead ? "hidden" : undefined}>{text.selectPage(page.length)}</span>
    </label>
  );
}
