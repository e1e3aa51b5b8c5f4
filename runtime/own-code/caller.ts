/** The account that makes a request, as identified by its token. */
export interface Caller {
  readonly accountId: string;
  /** Null for an account without a role. */
  readonly role: string | null;
  /** The id of the session or the service token; with the app's own `authenticate`, the value that it returns. */
  readonly sessionId: string | null;
  /** The account of the operator who views the app as this account; otherwise omitted. */
  readonly viewer?: string;
}

/**
 * The internal caller of requests without a token; app code and contexts get null instead. PostgreSQL cannot store
 * these texts, so no account and no other caller has them.
 */
export const visitor: Caller = Object.freeze({ accountId: "\0", role: "\0", sessionId: null });

/** Whether the role is the one of callers without a token. */
export function isVisitorRole(role: string | null): boolean {
  return role === visitor.role;
}
