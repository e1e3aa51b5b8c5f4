import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";
import { brief } from "../client/freshness.js";

export type JobState = "waiting" | "running" | "failed";

/** A job that is not done, without its input. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly key: string | null;
  /** Attempts begun. */
  readonly attempt: number;
  readonly tries: number;
  /** When the job may run. */
  readonly at: string;
  readonly startedAt: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

export interface Schedule {
  readonly name: string;
  readonly job: string;
  readonly cron: string;
  readonly timezone: string;
  readonly lastAt: string | null;
  readonly lastState: JobState | "done" | null;
  readonly nextAt: string;
}

/** Attempts that ended in the hour that began at `at`. */
export interface HourOfJobs {
  readonly at: string;
  readonly done: number;
  readonly failed: number;
}

/** The key of all queries of jobs, which a change makes stale. */
export function jobsKey(account: string): readonly string[] {
  return [account, "jobs"];
}

/** Newest first; `query` has the filters. */
export function jobsQuery(account: string, query: string) {
  return infiniteQueryOptions({
    queryKey: [...jobsKey(account), "list", query],
    queryFn: ({ signal, pageParam }) =>
      call<{ data: readonly Job[]; meta: { next: string | null } }>(
        "GET",
        `/_service/jobs?${query}${query === "" ? "" : "&"}cursor=${encodeURIComponent(pageParam)}`,
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
    staleTime: brief,
  });
}

export function scheduleQuery(account: string) {
  return queryOptions({
    queryKey: [...jobsKey(account), "schedule"],
    queryFn: ({ signal }) =>
      call<{ data: readonly Schedule[] }>("GET", "/_service/schedule", { signal }),
    staleTime: brief,
  });
}

export function hoursQuery(account: string) {
  return queryOptions({
    queryKey: [...jobsKey(account), "hours"],
    queryFn: ({ signal }) =>
      call<{ data: readonly HourOfJobs[] }>("GET", "/_service/jobs/hours", { signal }),
    staleTime: brief,
  });
}
