import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import type { Field, Page, Resource, Row } from "../../../api/client/types.js";
import { may, streamsChanges } from "../../../api/records/descriptors.js";
import type { Params } from "../../../api/records/naming.js";
import { type ListAddress, maxPerPage } from "../../../browser/address/list-address.js";
import { type FirstRows, firstRowsQuery, tagsOf, withFound } from "./first-rows.js";
import { daysParams, mostPages } from "./placed.js";

/** The days of a calendar, and the list whose records are placed on them. */
export interface CalendarDays {
  readonly resource: Resource;
  readonly listing: ListAddress;
  readonly field: Field;
  readonly days: readonly string[];
}

export interface DaysRead {
  readonly found: UseQueryResult<FirstRows>;
  readonly queryKey: readonly unknown[];
  /** Reads some of the records again, and places them on their days. */
  readonly renew: (ids: readonly string[]) => Promise<void>;
  /** Places a record as it was written, with its ETag. */
  readonly put: (row: Row, etag: string) => void;
}

export function useDays(calendar: CalendarDays): DaysRead {
  const { resource, listing } = calendar;
  const { user } = useSession();
  const client = useQueryClient();
  const params = daysParams(resource, listing, calendar);
  const query: Params = [
    ...params,
    ...(may(resource, "update") ? [["etags", "true"] as const] : []),
    ...(streamsChanges(resource) ? [["position", "true"] as const] : []),
  ];
  const options = firstRowsQuery(user.id, resource.name, { query, pages: mostPages });
  const { queryKey } = options;
  const found = useQuery(options);
  const change = (by: (first: FirstRows) => FirstRows) =>
    client.setQueryData(queryKey, (first) => (first === undefined ? first : by(first)));
  return {
    found,
    queryKey,
    renew: async (ids) => {
      const first = client.getQueryData(queryKey);
      const hasIds = listing.conditions.some((one) => one.field === "id");
      // If not all records were read, a change can also move the point at which reading ends.
      if (first === undefined || first.hasMore || hasIds || ids.length > maxPerPage) {
        await found.refetch();
        return;
      }
      const all = { ...Object.fromEntries(query), "filter[id][in]": ids.join(",") };
      const read = new URLSearchParams({ ...all, perPage: String(ids.length) });
      const page = await call<Page<Row>>("GET", `/${resource.name}?${read}`);
      const rows = { rows: page.data, etags: new Map(tagsOf(page)) };
      change((now) => withFound(now, ids, rows));
    },
    put: (row, etag) =>
      void change((first) =>
        withFound(first, [row.id], { rows: [row], etags: new Map([[row.id, etag]]) }),
      ),
  };
}
