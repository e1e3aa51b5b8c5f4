import { printParams } from "../address/list-address.js";
import { wordsIn } from "./kept.js";

/** A saved view: the query of a list, and its columns. */
export interface View {
  readonly id: string;
  readonly name: string;
  /** The query as in the address, so that "the last 7 days" stays relative. */
  readonly search: string;
  readonly columns: readonly string[] | null;
  /** Set for a shared view, which the server stores. */
  readonly shared?: { readonly mayChange: boolean };
}

/** Maximum number of views of a list that a browser stores. */
const maxViews = 50;
/** Maximum number of recent searches per list. */
const maxRecent = 10;

export function viewsOf(json: unknown): readonly View[] {
  if (!Array.isArray(json)) return [];
  return json.filter(isView).map(({ id, name, search, columns }) => ({
    id,
    name,
    search,
    columns: Array.isArray(columns) ? wordsIn(columns) : null,
  }));
}

function isView(one: unknown): one is View {
  if (typeof one !== "object" || one === null) return false;
  const { id, name, search } = one as Partial<Record<keyof View, unknown>>;
  return [id, name, search].every((part) => typeof part === "string");
}

/** Returns the views with a new view appended, or a changed one replaced. */
export function withView(views: readonly View[], view: View): readonly View[] {
  const at = views.findIndex(({ id }) => id === view.id);
  return at < 0 ? [...views, view].slice(-maxViews) : views.with(at, view);
}

export function withoutView(views: readonly View[], id: string): readonly View[] {
  return views.filter((view) => view.id !== id);
}

export function newViewId(views: readonly View[]): string {
  const taken = new Set(views.map(({ id }) => id));
  let at = views.length + 1;
  while (taken.has(String(at))) at += 1;
  return String(at);
}

/** Returns recent searches without duplicates, newest first. */
export function withSearch(searches: readonly string[], search: string): readonly string[] {
  return [search, ...searches.filter((one) => one !== search)].slice(0, maxRecent);
}

export function viewPath(list: string, { id, search }: View): string {
  const own = printParams([["view", id]]);
  return `${list}?${search === "" ? own : `${search}&${own}`}`;
}
