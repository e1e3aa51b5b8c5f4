import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { closeProfiles } from "../account/profiles.js";
import { call } from "../client/client.js";
import { isStatus } from "../client/errors.js";
import { brief } from "../client/freshness.js";
import type { Page, Resource, Row } from "../client/types.js";
import { titleField } from "./descriptors.js";
import type { Aggregate, Stats } from "./numbers.js";

/**
 * Asks with the names of linked accounts. The app may restrict them to some roles, which only a refusal tells: then
 * `unnamed` is asked, and so are later queries.
 */
async function askNamed<Answer>(
  account: string,
  { query, unnamed }: { readonly query: string; readonly unnamed: string },
  ask: (query: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(query);
  } catch (error) {
    if (unnamed === query || !isStatus(error, 403)) throw error;
    const answer = await ask(unnamed);
    closeProfiles(account);
    return answer;
  }
}

/** `unnamed` is the query without the names of linked accounts. */
export function listQuery(account: string, resource: string, query: string, unnamed = query) {
  const ask = (asked: string, signal: AbortSignal) =>
    call<Page<Row>>("GET", `/${resource}${asked === "" ? "" : `?${asked}`}`, undefined, { signal });
  return queryOptions({
    queryKey: [account, "resource", resource, "list", query],
    queryFn: ({ signal }) => askNamed(account, { query, unnamed }, (asked) => ask(asked, signal)),
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

/** The records that came last, without their number; `query` says what of them. */
export function newestQuery(account: string, resource: string, query: string, unnamed: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "list", "newest", query],
    queryFn: ({ signal }) =>
      askNamed(account, { query, unnamed }, (asked) =>
        call<{ data: readonly Row[] }>("GET", `/${resource}?cursor=&${asked}`, undefined, {
          signal,
        }),
      ),
    staleTime: brief,
  });
}

/** All of a record that a list does not show; forgotten with its titles. */
export function quickLookQuery(
  account: string,
  { resource, id }: { readonly resource: string; readonly id: string },
  query: string,
  unnamed: string,
) {
  return queryOptions({
    queryKey: [account, "resource", resource, "titles", id, query],
    queryFn: ({ signal }) =>
      askNamed(account, { query, unnamed }, (asked) =>
        call<Row>("GET", `/${resource}/${id}?${asked}`, undefined, { signal }),
      ),
    staleTime: brief,
  });
}

/** One record's title, for a filter or a search field. */
export function titleQuery(account: string, resource: Resource | undefined, id: string) {
  const name = resource?.name ?? "users";
  const title = resource === undefined ? null : titleField(resource);
  return queryOptions({
    queryKey: [account, "resource", name, "titles", id],
    queryFn: ({ signal }) =>
      call<Row>("GET", `/${name}/${id}?fields=${title?.name ?? "id"}`, undefined, { signal }),
    staleTime: brief,
  });
}

export function statsQuery(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "numbers", "stats", query],
    queryFn: ({ signal }) =>
      call<Stats>("GET", `/${resource}/_stats?${query}`, undefined, { signal }),
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

export function aggregateQuery(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "numbers", "aggregate", query],
    queryFn: ({ signal }) =>
      call<Aggregate>("GET", `/${resource}/_aggregate?${query}`, undefined, { signal }),
    staleTime: brief,
  });
}

/** Only the titles of the records with these ids. */
export function titlesQuery(
  account: string,
  resource: string,
  { title, ids }: { readonly title: string | null; readonly ids: readonly string[] },
) {
  const query = new URLSearchParams({
    "filter[id][in]": ids.join(","),
    fields: title ?? "id",
    perPage: "100",
  });
  return queryOptions({
    queryKey: [account, "resource", resource, "titles", query.toString()],
    queryFn: ({ signal }) => call<Page<Row>>("GET", `/${resource}?${query}`, undefined, { signal }),
    staleTime: brief,
    enabled: ids.length > 0,
  });
}

/** The records that a file's links name, as `ask` finds them; `what` identifies a file and its columns. */
export function linksQuery<Found>(
  account: string,
  resource: string,
  what: string,
  ask: (signal: AbortSignal) => Promise<Found>,
) {
  return queryOptions({
    queryKey: [account, "resource", resource, "import", what],
    queryFn: ({ signal }) => ask(signal),
    // Each file is looked up again.
    gcTime: 0,
  });
}
