import { queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";

export interface ServerStatus {
  readonly version: string;
  readonly startedAt: string;
  readonly processes: number;
  readonly database: {
    readonly version: string;
    readonly bytes: number;
    readonly connections: number;
    readonly maxConnections: number;
  };
  readonly migrations: { readonly applied: number; readonly pending: number };
  readonly tables: readonly TableSize[];
  readonly storage: { readonly files: number; readonly bytes: number };
  readonly mails: { readonly waiting: number };
  readonly requests: Requests;
  readonly slow: readonly SlowStatement[];
}

export interface TableSize {
  readonly resource: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Rates of requests, and percentiles of their duration in milliseconds, which are null if there were no requests. */
export interface Requests {
  readonly perSecond: number;
  readonly failedPerSecond: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly minutes: readonly Minute[];
}

export interface Minute {
  readonly at: string;
  readonly count: number;
  readonly failed: number;
  readonly p99: number | null;
}

export interface SlowStatement {
  readonly statement: string;
  readonly milliseconds: number;
  readonly count: number;
  readonly lastAt: string;
}

/** The health that is reported to load balancers. */
export interface Health {
  readonly status: "ok" | "failing" | "draining";
  readonly checks: Readonly<
    Record<"database" | "migrations" | "storage" | "mailer", "ok" | "failing" | "off">
  >;
}

/** Milliseconds for which the server caches the response. */
const sharedMs = 1_000;

/** `everyMs` is the polling interval; false for a single request. */
export function statusQuery(account: string, everyMs: number | false) {
  return queryOptions({
    queryKey: [account, "status"],
    queryFn: ({ signal }) => call<ServerStatus>("GET", "/_service/status", { signal }),
    staleTime: sharedMs,
    refetchInterval: everyMs,
  });
}

export function healthQuery(account: string, everyMs: number | false) {
  return queryOptions({
    queryKey: [account, "health"],
    queryFn: ({ signal }) =>
      call<Health>("GET", "/_service/ready", { signal, mayBeUnavailable: true }),
    staleTime: sharedMs,
    refetchInterval: everyMs,
  });
}
