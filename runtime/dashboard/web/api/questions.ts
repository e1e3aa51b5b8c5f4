import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, callWhole } from "./client.js";
import { titleField } from "./descriptors.js";
import { isStatus } from "./errors.js";
import type { Aggregate, Stats } from "./numbers.js";
import { closeProfiles } from "./profiles.js";
import type {
  Account,
  AccountEvent,
  AuthConfig,
  Device,
  Me,
  Page,
  Passkey,
  Resource,
  Row,
} from "./types.js";

/** Milliseconds for which an answer counts as fresh. */
const brief = 30_000;
const long = 300_000;

export const configQuestion = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }) =>
    call<AuthConfig>("GET", "/auth/config", undefined, { signal, mayBeSignedOut: true }),
  staleTime: long,
});

/** The signed-in account; a 401 is an answer here, not an error. */
export const meQuestion = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => call<Me>("GET", "/auth/me", undefined, { signal, mayBeSignedOut: true }),
  staleTime: long,
});

export function devicesQuestion(account: string) {
  return queryOptions({
    queryKey: [account, "self", "devices"],
    queryFn: ({ signal }) =>
      call<{ data: readonly Device[] }>("GET", "/auth/sessions", undefined, { signal }),
    staleTime: brief,
  });
}

export function passkeysQuestion(account: string) {
  return queryOptions({
    queryKey: [account, "self", "passkeys"],
    queryFn: ({ signal }) =>
      call<{ data: readonly Passkey[] }>("GET", "/auth/passkeys", undefined, { signal }),
    staleTime: brief,
  });
}

export function resourcesQuestion(account: string) {
  return queryOptions({
    queryKey: [account, "resources"],
    queryFn: ({ signal }) =>
      callWhole<{ data: readonly Resource[] }>("GET", "/_service/resources", undefined, { signal }),
    staleTime: long,
  });
}

/**
 * Asks with the names of linked accounts. The app may restrict them to some roles, which only a refusal tells: then
 * `unnamed` is asked, and so are later questions.
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
export function listQuestion(account: string, resource: string, query: string, unnamed = query) {
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
export function newestQuestion(account: string, resource: string, query: string, unnamed: string) {
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
export function lookQuestion(
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
export function titleQuestion(account: string, resource: Resource | undefined, id: string) {
  const name = resource?.name ?? "users";
  const title = resource === undefined ? null : titleField(resource);
  return queryOptions({
    queryKey: [account, "resource", name, "titles", id],
    queryFn: ({ signal }) =>
      call<Row>("GET", `/${name}/${id}?fields=${title?.name ?? "id"}`, undefined, { signal }),
    staleTime: brief,
  });
}

export function statsQuestion(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "numbers", "stats", query],
    queryFn: ({ signal }) =>
      call<Stats>("GET", `/${resource}/_stats?${query}`, undefined, { signal }),
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

export function aggregateQuestion(account: string, resource: string, query: string) {
  return queryOptions({
    queryKey: [account, "resource", resource, "numbers", "aggregate", query],
    queryFn: ({ signal }) =>
      call<Aggregate>("GET", `/${resource}/_aggregate?${query}`, undefined, { signal }),
    staleTime: brief,
  });
}

/** Only the titles of the records with these ids. */
export function titlesQuestion(
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
export function linksQuestion<Found>(
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

export function accountsQuestion(account: string, query: string) {
  return queryOptions({
    queryKey: [account, "accounts", "list", query],
    queryFn: ({ signal }) =>
      call<Page<Account>>("GET", `/_service/accounts?${query}`, undefined, { signal }),
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

export function accountQuestion(account: string, id: string) {
  return queryOptions({
    queryKey: [account, "accounts", "one", id],
    queryFn: ({ signal }) =>
      call<Account>("GET", `/_service/accounts/${id}`, undefined, { signal }),
    staleTime: brief,
  });
}

export function eventsQuestion(account: string, query: string) {
  return infiniteQueryOptions({
    queryKey: [account, "accounts", "events", query],
    queryFn: ({ signal, pageParam }) =>
      call<{ data: readonly AccountEvent[]; meta: { next: string | null } }>(
        "GET",
        `/_service/account-events?${query}${query === "" ? "" : "&"}cursor=${encodeURIComponent(pageParam)}`,
        undefined,
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
    staleTime: brief,
  });
}
