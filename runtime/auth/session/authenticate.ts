import type { IncomingMessage } from "node:http";
import type { Caller, Services } from "../../http/index.js";
import { bearerToken } from "../token/bearer.js";
import { hashToken } from "../token/token.js";
import { findSession, touchSession } from "./store.js";

/** How old `last_used_at` may grow before a request writes it again, so that reads stay reads. */
const touchMilliseconds = 60_000;

/**
 * Who makes a request, by its bearer token; null for a token that is missing, malformed, unknown,
 * expired or of a disabled account. Asked of the database each time: a revoked token is dead at once.
 */
export async function authenticate(
  { db, clock }: Pick<Services, "db" | "clock">,
  request: IncomingMessage,
): Promise<Caller | null> {
  const token = bearerToken(request.headers.authorization);
  if (token === null) return null;
  const now = clock.now();
  const session = await findSession(db, hashToken(token), now);
  if (session === null) return null;
  const { accountId, role, sessionId, lastUsedAt } = session;
  if (now.getTime() - lastUsedAt.getTime() >= touchMilliseconds) {
    await touchSession(db, sessionId, now);
  }
  return { accountId, role, sessionId };
}
