import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/client/client.js";
import { brief } from "../../../api/client/freshness.js";
import type { Page, Row } from "../../../api/client/types.js";
import type { Params } from "../../../api/records/naming.js";

/** The first records of a list, and whether there are more. */
export interface FirstRows {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** The first records of a list, of at most `pages` pages. A search by words has no cursor, so pages have numbers. */
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
        return call<Page<Row>>("GET", `/${resource}?${params}`, { signal });
      };
      const first = await read(1);
      const { total, totalPages } = first.meta;
      const others = Array.from({ length: Math.min(totalPages, pages) - 1 }, (_, at) => at + 2);
      const all = [first, ...(await Promise.all(others.map(read)))].flatMap(({ data }) => data);
      // A record that was written meanwhile may be on two pages.
      const rows = [...new Map(all.map((row) => [row.id, row])).values()];
      return { rows, hasMore: total > all.length };
    },
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}
