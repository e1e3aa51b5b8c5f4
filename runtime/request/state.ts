import type { BusyTime } from "./busy-time.js";

/** What is known of a request, or of an attempt of a job. */
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

/** Records whose token the request has. */
export function noteAccount(
  state: RequestState | null | undefined,
  caller: { readonly accountId: string } | null,
): void {
  if (state != null && caller !== null) state.accountId = caller.accountId;
}

/** Records the name of the service token that the request has; null for a token of a sign-in. */
export function noteServiceToken(
  state: RequestState | null | undefined,
  name: string | null,
): void {
  if (state != null) state.serviceToken = name;
}
