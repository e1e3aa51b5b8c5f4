import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callWhole } from "../../../api/client/client.js";
import { brief } from "../../../api/client/freshness.js";
import type { Page, Row } from "../../../api/client/types.js";
import type { Params } from "../../../api/records/naming.js";

/** The first records of a list, and whether there are more. */
export interface FirstRows {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** The ETags of the records by id, if requested. */
  readonly etags: ReadonlyMap<string, string>;
  /** The position of the log of changes before the first read, if requested. */
  readonly position: string | null;
}

/** Queries the first `pages` pages of a list. Pages are numbered, because a full-text search has no cursor. */
export function firstRowsQuery(
  account: string,
  resource: string,
  { query, pages }: { readonly query: Params; readonly pages: number },
) {
  return queryOptions({
    queryKey: [account, "resource", resource, "list", "first", query],
    queryFn: async ({ signal }): Promise<FirstRows> => {
      const read = (page: number) => {
        const paging = { page: String(page), perPage: "100" };
        const params = new URLSearchParams({ ...Object.fromEntries(query), ...paging });
        return callWhole<Page<Row>>("GET", `/${resource}?${params}`, { signal });
      };
      const { body: first, position } = await read(1);
      const { total, totalPages } = first.meta;
      const others = Array.from({ length: Math.min(totalPages, pages) - 1 }, (_, at) => at + 2);
      const later = await Promise.all(others.map(read));
      const all = [first, ...later.map(({ body }) => body)];
      const found = all.flatMap(({ data }) => data);
      // A record that was written between two requests may be on both pages.
      const rows = [...new Map(found.map((row) => [row.id, row])).values()];
      return { rows, hasMore: total > found.length, etags: new Map(all.flatMap(tagsOf)), position };
    },
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

/** The ids of a page's records with their ETags. */
export function tagsOf({ data, meta }: Page<Row>): readonly (readonly [string, string])[] {
  const { etags = [] } = meta;
  return data.flatMap(({ id }, at) => {
    const etag = etags[at];
    return etag === undefined ? [] : [[id, etag] as const];
  });
}

/** Replaces records with newly read versions; records that were not found are removed. */
export function withFound(
  first: FirstRows,
  ids: readonly string[],
  found: Pick<FirstRows, "rows" | "etags">,
): FirstRows {
  const others = first.rows.filter(({ id }) => !ids.includes(id));
  return {
    ...first,
    rows: [...others, ...found.rows],
    etags: new Map([...first.etags, ...found.etags]),
  };
}
