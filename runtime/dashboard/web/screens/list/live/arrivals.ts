import type { Change } from "../../../api/changes/stream.js";

/** Changes of a list since it was loaded. */
export interface Arrivals {
  /** New records, which are not displayed yet. */
  readonly added: readonly string[];
  /** Rows that no longer belong to the list. */
  readonly gone: readonly string[];
  /** The ids in `added` and `gone` that the list being loaded already reflects. */
  readonly requested: readonly string[];
}

export const nothingArrived: Arrivals = { added: [], gone: [], requested: [] };

/** Maximum number of new records that are counted. */
export const mostAdded = 1_000;

export type ArrivalEvent =
  | {
      readonly kind: "changed";
      readonly changes: readonly Pick<Change, "op" | "id">[];
      /** The ids of the displayed rows. */
      readonly shown: readonly string[];
    }
  /** The list is being loaded. */
  | { readonly kind: "requested" }
  | { readonly kind: "loaded"; readonly shown: readonly string[] }
  | { readonly kind: "failed" };

export function arrivalsReducer(state: Arrivals, event: ArrivalEvent): Arrivals {
  switch (event.kind) {
    case "changed":
      return event.changes.reduce((now, change) => changed(now, change, event.shown), state);
    case "requested":
      return { ...state, requested: [...state.added, ...state.gone] };
    case "loaded": {
      if (state === nothingArrived) return state;
      const { added, gone, requested } = state;
      const isLater = (id: string) => !requested.includes(id);
      const isMissing = (id: string) => isLater(id) && !event.shown.includes(id);
      return { added: added.filter(isMissing), gone: gone.filter(isLater), requested: [] };
    }
    case "failed":
      return { ...state, requested: [] };
    default:
      return event satisfies never;
  }
}

function changed(
  state: Arrivals,
  { op, id }: Pick<Change, "op" | "id">,
  shown: readonly string[],
): Arrivals {
  const { added, gone, requested } = state;
  // The response may not include a change that arrives while it is loading.
  const later = { ...state, requested: without(requested, id) };
  if (shown.includes(id)) {
    if (op === "delete") return gone.includes(id) ? later : { ...later, gone: [...gone, id] };
    return { ...later, gone: without(gone, id) };
  }
  if (op === "delete") return { ...later, added: without(added, id) };
  const isCounted = op !== "create" || added.includes(id) || added.length >= mostAdded;
  return isCounted ? later : { ...later, added: [...added, id] };
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : ids;
}
