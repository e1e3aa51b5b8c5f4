/** Who makes a request, as identified by its token. */
export interface Caller {
  readonly accountId: string;
  readonly role: string | null;
  readonly sessionId: string | null;
}

/**
 * Stands for a caller without a token where rights are looked up: app code and contexts have null. No account and no
 * caller has these texts, as PostgreSQL could not store them.
 */
export const visitor: Caller = Object.freeze({ accountId: "\0", role: "\0", sessionId: null });

/** Whether the role is that of callers without a token. */
export function isVisitorRole(role: string | null): boolean {
  return role === visitor.role;
}
