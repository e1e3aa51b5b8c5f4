/** The position of a value: its row and field. */
export interface CellPlace {
  readonly id: string;
  readonly field: string;
}

const editable = "td[data-field]";

/** The visible cells that can be edited, in reading order. */
function cellsIn(root: ParentNode): readonly HTMLTableCellElement[] {
  return [...root.querySelectorAll<HTMLTableCellElement>(editable)].filter((cell) =>
    cell.checkVisibility(),
  );
}

export function placeOf(cell: Element | null): CellPlace | null {
  const { field } = cell?.closest<HTMLElement>(editable)?.dataset ?? {};
  const { id } = cell?.closest("tr")?.dataset ?? {};
  return id === undefined || field === undefined ? null : { id, field };
}

export function cellAt(root: ParentNode | null, place: CellPlace): HTMLTableCellElement | null {
  if (root === null) return null;
  return (
    cellsIn(root).find((cell) => {
      const found = placeOf(cell);
      return found?.id === place.id && found.field === place.field;
    }) ?? null
  );
}

/** The next or previous cell, in the same row or the adjacent one. */
export function neighbourOf(cell: HTMLTableCellElement, by: 1 | -1): HTMLTableCellElement | null {
  const all = cellsIn(cell.closest("table") ?? cell);
  return all[all.indexOf(cell) + by] ?? null;
}
