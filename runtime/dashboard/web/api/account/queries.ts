import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, callWhole } from "../client/client.js";
import { brief, long } from "../client/freshness.js";
import type {
  Account,
  AccountEvent,
  AnyServiceToken,
  Device,
  Identity,
  Me,
  Page,
  Passkey,
  Resource,
  ServiceToken,
} from "../client/types.js";
import type { AuthConfig } from "./auth-config.js";
import type { StoredHome } from "./home.js";

export const configQuery = queryOptions({
  queryKey: ["config"],
  queryFn: ({ signal }) =>
    call<AuthConfig>("GET", "/auth/config", { signal, mayBeSignedOut: true }),
  staleTime: long,
});

/** Loads the signed-in account; a 401 is a result here, not an error. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => call<Me>("GET", "/auth/me", { signal, mayBeSignedOut: true }),
  staleTime: long,
});

export function devicesQuery(account: string) {
  return queryOptions({
    queryKey: [account, "self", "devices"],
    queryFn: ({ signal }) => call<{ data: readonly Device[] }>("GET", "/auth/sessions", { signal }),
    staleTime: brief,
  });
}

export function serviceTokensQuery(account: string) {
  return queryOptions({
    queryKey: [account, "self", "service-tokens"],
    queryFn: ({ signal }) =>
      call<{ data: readonly ServiceToken[] }>("GET", "/auth/service-tokens", { signal }),
    staleTime: brief,
  });
}

export function allServiceTokensQuery(account: string) {
  return queryOptions({
    queryKey: [account, "accounts", "service-tokens"],
    queryFn: ({ signal }) =>
      call<{ data: readonly AnyServiceToken[] }>("GET", "/_service/service-tokens", {
        signal,
      }),
    staleTime: brief,
  });
}

export function passkeysQuery(account: string) {
  return queryOptions({
    queryKey: [account, "self", "passkeys"],
    queryFn: ({ signal }) =>
      call<{ data: readonly Passkey[] }>("GET", "/auth/passkeys", { signal }),
    staleTime: brief,
  });
}

export function identitiesQuery(account: string) {
  return queryOptions({
    queryKey: [account, "self", "identities"],
    queryFn: ({ signal }) =>
      call<{ data: readonly Identity[] }>("GET", "/auth/identities", { signal }),
    staleTime: brief,
  });
}

export function resourcesQuery(account: string) {
  return queryOptions({
    queryKey: [account, "resources"],
    queryFn: ({ signal }) =>
      callWhole<{ data: readonly Resource[] }>("GET", "/_service/resources", { signal }),
    staleTime: long,
  });
}

export function accountsQuery(account: string, query: string) {
  return queryOptions({
    queryKey: [account, "accounts", "list", query],
    queryFn: ({ signal }) => call<Page<Account>>("GET", `/_service/accounts?${query}`, { signal }),
    staleTime: brief,
    placeholderData: keepPreviousData,
  });
}

export function accountQuery(account: string, id: string) {
  return queryOptions({
    queryKey: [account, "accounts", "one", id],
    queryFn: ({ signal }) => call<Account>("GET", `/_service/accounts/${id}`, { signal }),
    staleTime: brief,
  });
}

export function eventsQuery(account: string, query: string) {
  return infiniteQueryOptions({
    queryKey: [account, "accounts", "events", query],
    queryFn: ({ signal, pageParam }) =>
      call<{ data: readonly AccountEvent[]; meta: { next: string | null } }>(
        "GET",
        `/_service/account-events?${query}${query === "" ? "" : "&"}cursor=${encodeURIComponent(pageParam)}`,
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
    staleTime: brief,
  });
}

const homePath = "/_service/home";

export function homeQuery(account: string) {
  return queryOptions({
    queryKey: [account, "self", "home"],
    queryFn: ({ signal }) => call<StoredHome>("GET", homePath, { signal }),
    staleTime: brief,
  });
}

/** Replaces the account's blocks or the shared ones; null removes them. */
export function putHome(home: Partial<StoredHome>): Promise<StoredHome> {
  return call<StoredHome>("PUT", homePath, { body: home });
}
