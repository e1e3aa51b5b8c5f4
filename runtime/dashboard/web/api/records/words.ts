import { call } from "../client/client.js";
import type { Page, Resource, Row } from "../client/types.js";

/** The words found in the records of a page. */
export type Highlights = NonNullable<Page<Row>["meta"]["highlights"]>;

/**
 * Returns the parameter with which lists are searched: by words if the caller may read a field of the resource's
 * search.
 */
export function searchParam({ search, fields }: Resource): "search" | "q" {
  const hidden = fields.filter(({ readable }) => readable === false).map(({ name }) => name);
  const searched = Object.keys(search?.fields ?? {});
  return searched.some((name) => !hidden.includes(name)) ? "search" : "q";
}

/** Whether a list's parameters contain a search by words, which has no cursor. */
export function isByWords(query: string): boolean {
  return new URLSearchParams(query).has("search");
}

const perPage = 100;

/** Loads the ids of all records that a search by words finds, in its order. */
export async function foundIds(
  resource: string,
  query: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (let page = 1; ; page += 1) {
    const path = `/${resource}?${query}&fields=id&perPage=${perPage}&page=${page}`;
    const { data } = await call<Page<Row>>("GET", path, { signal });
    for (const { id } of data) ids.add(id);
    if (data.length < perPage) return [...ids];
  }
}
