import { AsyncLocalStorage } from "node:async_hooks";
import type { BusyTime } from "./busy-time.js";

/** What is known of a request, or of an attempt of a job, wherever its code is. */
export interface RequestState {
  /** What every line of the log has that it causes. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** As sent; null without a sound one. */
  readonly traceparent: string | null;
  /** As `service routes` lists it, `/api/products/{id}`; null where the path has none. */
  route: string | null;
  /** Whose token it has; null as long as that is not known, and without one. */
  accountId: string | null;
  /** The name of the service token that it has; null as long as that is not known, and with any other token. */
  serviceToken: string | null;
  /** The name of the job that runs; null for a request. */
  readonly job: string | null;
  /** Who sent it, as its token or else its address; null while nobody else sends requests. */
  readonly client: () => string | null;
  /** The time of its statements; null where nobody asks for it. */
  readonly database: BusyTime | null;
}

const requests = new AsyncLocalStorage<RequestState>();

/** The request whose code runs until it first waits for something. */
let starting: RequestState | null = null;

/** How many parts of requests are followed. */
let followed = 0;

/** Before Node 24 every promise of the process takes longer while one is followed (GET one: a fifth fewer requests a second). */
const isCheap = Number.parseInt(process.versions.node, 10) >= 24;

/** Runs the work, and all that it starts, as a part of the request. */
export async function inRequest<T>(
  state: RequestState | null,
  work: () => Promise<T> | T,
): Promise<T> {
  if (state === null || requests.getStore() === state) return await work();
  followed += 1;
  try {
    return await requests.run(state, work);
  } finally {
    followed -= 1;
    if (followed === 0 && !isCheap) requests.disable();
  }
}

/** Runs the work as a part of the request until it first waits for something; unlike `inRequest`, it slows nothing. */
export function startRequest<T>(state: RequestState | null, work: () => T): T {
  const former = starting;
  starting = state;
  try {
    return work();
  } finally {
    starting = former;
  }
}

/** Runs the work as no part of a request, though it may be one that starts it: a connection that others use too. */
export function outsideRequests<T>(work: () => T): T {
  const former = starting;
  starting = null;
  try {
    return requests.exit(work);
  } finally {
    starting = former;
  }
}

/** Records whose token the request has. */
export function noteAccount(
  state: RequestState | null,
  caller: { readonly accountId: string } | null,
): void {
  if (state !== null && caller !== null) state.accountId = caller.accountId;
}

/** Records the name of the service token that the request has; null for a token of a sign-in. */
export function noteServiceToken(state: RequestState | null, name: string | null): void {
  if (state !== null) state.serviceToken = name;
}

/** The request that the running code is a part of. */
export function currentRequest(): RequestState | null {
  return requests.getStore() ?? starting;
}
