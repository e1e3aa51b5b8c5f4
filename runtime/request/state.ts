import type { BusyTime } from "./busy-time.js";

/** The state of a request or of a job's attempt. */
export interface RequestState {
  /** Fields that each of its log lines has. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** The header as sent; null if it is missing or malformed. */
  readonly traceparent: string | null;
  /** The route as listed by `service routes`, such as `/api/products/{id}`; null if none matches the path. */
  route: string | null;
  /** The account that the request's token belongs to; null until it is known, and without a token. */
  accountId: string | null;
  /**
   * The account of the operator who views the app as that account; null until it is known, and for all other tokens.
   */
  viewerId: string | null;
  /** The name of the request's service token; null until it is known, and for all other tokens. */
  serviceToken: string | null;
  /** The name of the running job; null for a request. */
  readonly job: string | null;
  /** Returns the client, identified by its token or else its address; null while no other client sends requests. */
  readonly client: () => string | null;
  /** The time spent in database statements; null if it is not measured. */
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

/** Records the name of the request's service token; null for a session token. */
export function noteServiceToken(
  state: RequestState | null | undefined,
  name: string | null,
): void {
  if (state != null) state.serviceToken = name;
}
