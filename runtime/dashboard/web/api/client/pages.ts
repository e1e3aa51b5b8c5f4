import { call } from "./client.js";

export interface CursorPage<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next: string | null };
}

const perPage = "100";

/** Yields all items of a list by cursor, page by page. */
export async function* pagesOf<Item>(
  path: string,
  filters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams({ ...filters, perPage, cursor });
    const page: CursorPage<Item> = await call("GET", `${path}?${query}`, { signal });
    yield page.data;
    cursor = page.meta.next;
  }
}

/** Loads all items of a list by cursor. */
export async function allOf<Item>(
  path: string,
  filters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf<Item>(path, filters, signal)) items.push(...page);
  return items;
}

/** A number of items, and whether there are more. */
export interface Total {
  readonly count: number;
  readonly isPart: boolean;
}

/** Maximum number of items that are counted: five requests. */
const mostCounted = 500;

/** Counts the items of a list by cursor, which has no total. */
export async function totalOf(
  path: string,
  filters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Total> {
  let count = 0;
  for await (const page of pagesOf(path, filters, signal)) {
    count += page.length;
    if (count >= mostCounted) return { count: mostCounted, isPart: true };
  }
  return { count, isPart: false };
}
