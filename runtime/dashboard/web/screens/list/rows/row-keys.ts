import type { FocusEvent, KeyboardEvent } from "react";

/**
 * The elements of a row that arrow keys reach. An editable cell is reached instead of its link, except for the title.
 */
const inside = "a, button, input, [role=separator], td[data-field]:not(.name)";
const standsIn = "td[data-field]:not(.name)";

/** Arrow keys in the table: up and down between rows, left and right within a row. */
export function onTableKey(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const target = event.target as HTMLElement;
  const row = target.closest("tr");
  if (row === null) return;
  const next = nextOf(event.key, target, { row, table: event.currentTarget });
  if (next === null) return;
  event.preventDefault();
  next.focus();
}

function nextOf(
  key: string,
  target: HTMLElement,
  { row, table }: { readonly row: HTMLTableRowElement; readonly table: HTMLTableElement },
): HTMLElement | null {
  const rows = [...table.rows];
  const at = rows.indexOf(row);
  const all = [...row.querySelectorAll<HTMLElement>(inside)];
  const parts = [row, ...all.filter((one) => one.parentElement?.closest(standsIn) === null)];
  switch (key) {
    case "ArrowDown":
      return below(target, rows[at + 1]);
    case "ArrowUp":
      return below(target, rows[at - 1]);
    case "Home":
      return rows[1] ?? null;
    case "End":
      return rows.at(-1) ?? null;
    case "ArrowRight":
      return parts[parts.indexOf(target) + 1] ?? null;
    case "ArrowLeft":
      return parts[parts.indexOf(target) - 1] ?? null;
    default:
      return null;
  }
}

/** The same cell of another row if a cell has the focus; else the row. */
function below(target: HTMLElement, row: HTMLTableRowElement | undefined): HTMLElement | null {
  const at = target.matches(standsIn) ? (target as HTMLTableCellElement).cellIndex : -1;
  const cell = row?.cells[at];
  return cell?.matches(standsIn) === true ? cell : (row ?? null);
}

/** Makes the row that had the focus last the table's only tab stop. */
export function onTableFocus(event: FocusEvent<HTMLTableElement>): void {
  const row = (event.target as HTMLElement).closest("tr");
  for (const other of event.currentTarget.querySelectorAll('tr[tabindex="0"]')) {
    if (other !== row) other.setAttribute("tabindex", "-1");
  }
  row?.setAttribute("tabindex", "0");
}

/** The row that has the focus or contains it. */
export function focusedRow(): HTMLTableRowElement | null {
  return document.activeElement?.closest("tr") ?? null;
}

/** Moves the focus by a number of rows, or to the first one. */
export function focusRow(table: HTMLTableElement | null, by: number): void {
  if (table === null) return;
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  const focused = focusedRow();
  const at = focused === null ? -1 : rows.indexOf(focused);
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}
