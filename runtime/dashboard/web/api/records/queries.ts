import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, callWhole } from "../client/client.js";
import { brief, long } from "../client/freshness.js";
import type { Page, Resource, Row, SharedView } from "../client/types.js";
import { namingParams } from "./naming.js";
import type { Aggregate, Stats } from "./numbers.js";
import { recordAddress } from "./records.js";

export function listQuery(account: string, resource: string, query: string) {
  const path = `/${resource}${query === "" ? "" : `?${query}`}`;
  return queryOptions({
    queryKey: [account, "resource", resource, "list", query],
    queryFn: async ({ signal }) => {
      const { body, position } = await callWhole<Page<Row>>("GET", path, { signal });
      return position === null ? body : { ...body, meta: { ...body.meta, position } };
    },
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

export function viewsQuery(account: string, resource: string) {
  const query = new URLSearchParams({ resource });
  return queryOptions({
    queryKey: [account, "resource", resource, "views"],
    queryFn: ({ signal }) =>
      call<{ data: readonly SharedView[] }>("GET", `/_service/views?${query}`, {
        signal,
      }),
    staleTime: long,
  });
}

/** Loads the newest records without a total; `query` selects what is requested. */
export function newestQuery(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "list", "newest", query],
    queryFn: ({ signal }) =>
      call<{ data: readonly Row[] }>("GET", `/${resource}?cursor=&${query}`, { signal }),
    staleTime: brief,
  });
}

/** Loads the fields of a record that a list does not show; they become stale together with the list's titles. */
export function quickLookQuery(
  account: string,
  { resource, id }: { readonly resource: string; readonly id: string },
  query: string,
) {
  return queryOptions({
    queryKey: [account, "resource", resource, "titles", id, query],
    queryFn: ({ signal }) =>
      call<Row>("GET", `${recordAddress(resource, id)}?${query}`, { signal }),
    staleTime: brief,
  });
}

/** Loads one record's title, for a filter or a search field. */
export function titleQuery(account: string, resource: Resource | undefined, id: string) {
  const name = resource?.name ?? "users";
  const query = new URLSearchParams(Object.fromEntries(namingParams(resource)));
  return queryOptions({
    queryKey: [account, "resource", name, "titles", id],
    queryFn: ({ signal }) => call<Row>("GET", `${recordAddress(name, id)}?${query}`, { signal }),
    staleTime: brief,
  });
}

export function statsQuery(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "numbers", "stats", query],
    queryFn: ({ signal }) => call<Stats>("GET", `/${resource}/_stats?${query}`, { signal }),
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

export function aggregateQuery(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "numbers", "aggregate", query],
    queryFn: ({ signal }) => call<Aggregate>("GET", `/${resource}/_aggregate?${query}`, { signal }),
    staleTime: brief,
  });
}

/** Loads only the titles of the records with these ids. */
export function titlesQuery(
  account: string,
  resource: Resource | undefined,
  ids: readonly string[],
) {
  const query = new URLSearchParams({
    "filter[id][in]": ids.join(","),
    perPage: "100",
    ...Object.fromEntries(namingParams(resource)),
  });
  const name = resource?.name ?? "";
  return queryOptions({
    queryKey: [account, "resource", name, "titles", query.toString()],
    queryFn: ({ signal }) => call<Page<Row>>("GET", `/${name}?${query}`, { signal }),
    staleTime: brief,
    enabled: ids.length > 0,
  });
}

/** Loads the records that a file's links refer to, using `ask`; `what` identifies a file and its columns. */
export function linksQuery<Found>(
  account: string,
  { resource, what }: { readonly resource: string; readonly what: string },
  ask: (signal: AbortSignal) => Promise<Found>,
) {
  return queryOptions({
    queryKey: [account, "resource", resource, "import", what],
    queryFn: ({ signal }) => ask(signal),
    // Not cached: each file is looked up again.
    gcTime: 0,
  });
}
