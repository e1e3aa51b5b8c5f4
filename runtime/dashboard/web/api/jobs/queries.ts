import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../client/client.js";
import { brief } from "../client/freshness.js";
import { totalOf } from "../client/pages.js";

export const jobStates = ["waiting", "running", "failed"] as const;
export type JobState = (typeof jobStates)[number];

export const jobsPath = "/_service/jobs";

/** A job that is not done, without its input. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly key: string | null;
  /** Number of attempts begun. */
  readonly attempt: number;
  readonly tries: number;
  /** The earliest time at which the job may run. */
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

/** The number of attempts that ended in the hour beginning at `at`. */
export interface HourOfJobs {
  readonly at: string;
  readonly done: number;
  readonly failed: number;
}

/** The key of all queries of jobs, which a change makes stale. */
export function jobsKey(account: string): readonly string[] {
  return [account, "jobs"];
}

/** Loads jobs, newest first; `query` contains the filters. */
export function jobsQuery(account: string, query: string) {
  return infiniteQueryOptions({
    queryKey: [...jobsKey(account), "list", query],
    queryFn: ({ signal, pageParam }) =>
      call<{ data: readonly Job[]; meta: { next: string | null } }>(
        "GET",
        `${jobsPath}?${query}${query === "" ? "" : "&"}cursor=${encodeURIComponent(pageParam)}`,
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
    staleTime: brief,
  });
}

/** Loads the number of jobs in each state that have this name, or of all jobs if `name` is empty. */
export function jobTotalsQuery(account: string, name: string) {
  return queryOptions({
    queryKey: [...jobsKey(account), "totals", name],
    queryFn: ({ signal }) =>
      Promise.all(
        jobStates.map(async (state) => ({
          state,
          ...(await totalOf(jobsPath, jobFilters(name, state), signal)),
        })),
      ),
    staleTime: brief,
  });
}

/** Returns the parameters of a list of jobs; an empty argument means all. */
export function jobFilters(name: string, state: string): Readonly<Record<string, string>> {
  return {
    ...(name === "" ? {} : { "filter[name]": name }),
    ...(state === "" ? {} : { "filter[state]": state }),
  };
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
      call<{ data: readonly HourOfJobs[] }>("GET", `${jobsPath}/hours`, { signal }),
    staleTime: brief,
  });
}
