import type { StoredBlock, StoredHome } from "../api/account/home.js";

/** A block of a home page, without its id. */
export type Block =
  /** The most used resources in numbers, which a home page without stored blocks shows. */
  | { readonly kind: "overview" }
  /** A chart of new records. */
  | { readonly kind: "new"; readonly resource: string }
  /** A chart of the number of records with each value of a field. */
  | { readonly kind: "values"; readonly resource: string; readonly field: string }
  /** A chart of a measure, such as `sum.price`, by a field. */
  | {
      readonly kind: "chart";
      readonly resource: string;
      readonly measure: string;
      readonly by: string;
    }
  /** The first records of a list. */
  | (ListPart & { readonly kind: "records"; readonly columns: readonly string[] | null })
  /** One number from a list: `count`, or the total of a column, such as `max.price`. */
  | (ListPart & { readonly kind: "figure"; readonly measure: string });

interface ListPart {
  readonly resource: string;
  /** The name of the view; null for a list without a view. */
  readonly name: string | null;
  /** The query of the list as in its address, so that "the last 7 days" stays relative. */
  readonly search: string;
}

export type Blocks = readonly StoredBlock[];

const overview: StoredBlock = { id: "overview", kind: "overview" };

/** Returns the blocks that a home page shows: those of the account, else the shared ones, else an overview. */
export function shownBlocks({ own, shared }: StoredHome): Blocks {
  return own ?? shared ?? [overview];
}

/** Identifies a block on a home page; blocks stored by another program may have no id. */
export function idOf({ id }: StoredBlock, at: number): string {
  return typeof id === "string" ? id : `#${at}`;
}

/** Parses a stored block; null if this version of the dashboard does not know its kind. */
export function readBlock(stored: StoredBlock): Block | null {
  const { kind, resource, field, measure, by, search } = stored;
  if (kind === "overview") return { kind };
  if (typeof resource !== "string") return null;
  if (kind === "new") return { kind, resource };
  if (kind === "values") return typeof field === "string" ? { kind, resource, field } : null;
  if (kind === "chart") {
    const isWhole = typeof measure === "string" && typeof by === "string";
    return isWhole ? { kind, resource, measure, by } : null;
  }
  if (typeof search !== "string") return null;
  const name = typeof stored.name === "string" ? stored.name : null;
  if (kind === "records") {
    return { kind, resource, name, search, columns: wordsOf(stored.columns) };
  }
  if (kind !== "figure" || typeof measure !== "string") return null;
  return { kind, resource, name, search, measure };
}

function wordsOf(json: unknown): readonly string[] | null {
  return Array.isArray(json) ? json.filter((one) => typeof one === "string") : null;
}

/** Returns the blocks in the order of these ids; other blocks follow. */
export function ordered(blocks: Blocks, ids: readonly string[]): Blocks {
  const placed = blocks.map((block, at) => ({ block, rank: ids.indexOf(idOf(block, at)) }));
  const rankOf = (rank: number) => (rank < 0 ? ids.length : rank);
  return placed
    .toSorted((one, other) => rankOf(one.rank) - rankOf(other.rank))
    .map(({ block }) => block);
}

export function without(blocks: Blocks, id: string): Blocks {
  return blocks.filter((block, at) => idOf(block, at) !== id);
}
