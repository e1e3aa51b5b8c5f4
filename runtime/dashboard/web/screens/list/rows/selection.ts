/** A selected record, with its title at that time. */
export interface Chosen {
  readonly id: string;
  readonly title: string;
  readonly etag: string | null;
}

export type Selection =
  | { readonly kind: "none" }
  | { readonly kind: "some"; readonly chosen: readonly Chosen[]; readonly anchor: string | null }
  /** Everything that matched the conditions at that time: later records are not included. */
  | {
      readonly kind: "all";
      readonly condition: string;
      readonly at: string;
      readonly total: number;
    };

export type SelectionEvent =
  | { readonly kind: "toggle"; readonly row: Chosen; readonly page: readonly Chosen[] }
  /** Selects from the row selected last to this one. */
  | { readonly kind: "range"; readonly row: Chosen; readonly page: readonly Chosen[] }
  /** Moves the end of the range from `from` to the adjacent row `to`. */
  | {
      readonly kind: "extend";
      readonly from: string;
      readonly to: string;
      readonly page: readonly Chosen[];
    }
  | { readonly kind: "page"; readonly page: readonly Chosen[]; readonly isOn: boolean }
  | {
      readonly kind: "all";
      readonly condition: string;
      readonly at: string;
      readonly total: number;
    }
  | { readonly kind: "clear" };

export const nothing: Selection = { kind: "none" };

export function selected(selection: Selection, event: SelectionEvent): Selection {
  switch (event.kind) {
    case "clear":
      return nothing;
    case "all":
      return { ...event };
    case "page": {
      const ids = new Set(event.page.map(({ id }) => id));
      const others = chosenOf(selection).filter(({ id }) => !ids.has(id));
      return some(event.isOn ? [...others, ...event.page] : others, null);
    }
    case "toggle": {
      const { row, page } = event;
      const chosen = selection.kind === "all" ? page : chosenOf(selection);
      const others = chosen.filter(({ id }) => id !== row.id);
      return some(others.length === chosen.length ? [...others, row] : others, row.id);
    }
    case "range": {
      const { row, page } = event;
      const anchor = selection.kind === "some" ? selection.anchor : null;
      const chosen = between(page, anchor, row.id);
      if (chosen.length === 0) return selected(selection, { ...event, kind: "toggle" });
      const ids = new Set(chosen.map(({ id }) => id));
      const others = chosenOf(selection).filter(({ id }) => !ids.has(id));
      return some([...others, ...chosen], anchor);
    }
    case "extend": {
      const { from, to, page } = event;
      const known = selection.kind === "some" ? selection.anchor : null;
      // If the rows between the anchor and `from` are not all selected, a new range begins at `from`.
      const until = between(page, known, from);
      const isGoingOn = until.length > 0 && until.every(({ id }) => isChosen(selection, id));
      const anchor = isGoingOn ? known : from;
      const former = new Set(between(page, anchor, from).map(({ id }) => id));
      const chosen = between(page, anchor, to);
      const ids = new Set(chosen.map(({ id }) => id));
      const others = chosenOf(selection).filter(({ id }) => !former.has(id) && !ids.has(id));
      return some([...others, ...chosen], anchor);
    }
    default:
      return event satisfies never;
  }
}

/** The rows between two rows, inclusive, in page order. */
function between(
  page: readonly Chosen[],
  one: string | null,
  other: string | null,
): readonly Chosen[] {
  const ends = [one, other].map((id) => page.findIndex((row) => row.id === id));
  return ends.includes(-1) ? [] : page.slice(Math.min(...ends), Math.max(...ends) + 1);
}

function some(chosen: readonly Chosen[], anchor: string | null): Selection {
  return chosen.length === 0 ? nothing : { kind: "some", chosen, anchor };
}

function chosenOf(selection: Selection): readonly Chosen[] {
  return selection.kind === "some" ? selection.chosen : [];
}

export function isChosen(selection: Selection, id: string): boolean {
  return selection.kind === "all" || chosenOf(selection).some((one) => one.id === id);
}

export function chosenCount(selection: Selection): number {
  return selection.kind === "all" ? selection.total : chosenOf(selection).length;
}

/** The ids of the selected records if there are exactly two; otherwise null. */
export function pairOf(selection: Selection): readonly [string, string] | null {
  const [one, other, ...more] = chosenOf(selection);
  return one === undefined || other === undefined || more.length > 0 ? null : [one.id, other.id];
}
