import { queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";
import { brief } from "../client/freshness.js";

export type Scope = "read" | "read write";

/** An app's request to act for an account. Only the hosts in it can be trusted. */
export interface AppRequest {
  readonly client: { readonly id: string; readonly host: string; readonly name: string | null };
  readonly redirectHost: string;
  readonly scope: Scope;
  readonly resource: string;
}

/** The address that returns the browser to the app. */
export interface BackToApp {
  readonly redirectTo: string;
}

export interface ConnectedApp {
  readonly id: string;
  readonly name: string;
  readonly client: string;
  readonly scope: Scope;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

/** Loads the request of the app that sent the browser here with that query string. */
export function appRequestQuery(account: string, query: string) {
  return queryOptions({
    queryKey: [account, "self", "app-request", query],
    queryFn: ({ signal }) =>
      call<AppRequest | BackToApp>("POST", "/oauth/authorize", { body: { query }, signal }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function decide(
  query: string,
  decision: { readonly allow: boolean; readonly scope?: "read" },
): Promise<BackToApp> {
  return call<BackToApp>("POST", "/oauth/authorize", { body: { query, ...decision } });
}

export function appsQuery(account: string) {
  return queryOptions({
    queryKey: [account, "self", "apps"],
    queryFn: ({ signal }) =>
      call<{ data: readonly ConnectedApp[] }>("GET", "/auth/apps", { signal }),
    staleTime: brief,
  });
}
