import type { BusyTime } from "./busy-time.js";

/** The state of a request, or of an attempt of a job. */
export interface RequestState {
  /** The fields of each of its log lines. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** As sent; null if it is missing or malformed. */
  readonly traceparent: string | null;
  /** As `service routes` lists it, `/api/products/{id}`; null if the path has none. */
  route: string | null;
  /** The account of its token; null while unknown, and without a token. */
  accountId: string | null;
  /** The account of the operator who views the app as that account; null while unknown, and for all other tokens. */
  viewerId: string | null;
  /** The name of the request's service token; null while unknown, and with any other token. */
  serviceToken: string | null;
  /** The name of the running job; null for a request. */
  readonly job: string | null;
  /** The client, identified by its token or else its address; null while no other client sends requests. */
  readonly client: () => string | null;
  /** The time of its statements; null if it is not measured. */
  readonly database: BusyTime | null;
}

/** Records the account of the request's token. */
export function noteAccount(
  state: RequestState | null | undefined,
  caller: { readonly accountId: string; readonly viewer?: string } | null,
): void {
  if (state == null || caller === null) return;
  state.accountId = caller.accountId;
  state.viewerId = caller.viewer ?? null;
}

/** Records the name of the request's service token; null for a token of a sign-in. */
export function noteServiceToken(
  state: RequestState | null | undefined,
  name: string | null,
): void {
  if (state != null) state.serviceToken = name;
}
