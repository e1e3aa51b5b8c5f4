import type { IncomingMessage } from "node:http";
import type { Gate, PlannedRead, ReadResult } from "../../http/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import { currentRequest, startRequest } from "../../request/index.js";
import { bearerToken, hashToken } from "../token/token.js";
import { findOpen } from "./still-open.js";
import { askForSession, type FoundSession, findSession, touchSession } from "./store.js";

/**
 * Identifies the caller of a request by its bearer token; null for a token that is missing, malformed, unknown,
 * expired or of a disabled account. The database is queried each time: revocation takes effect at once.
 */
export function sessionGate(services: Pick<Services, "config" | "db" | "clock">): Gate {
  const { config, db, clock } = services;
  return { identify, ask, stillOpen: (sessions) => findOpen(db, sessions, clock.now()) };

  async function identify(request: IncomingMessage): Promise<Caller | null> {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return null;
    const session = await findSession(db, hashToken(token), clock.now());
    return session === null ? null : admitted(session);
  }

  async function ask(request: IncomingMessage, planned: PlannedRead): Promise<ReadResult | null> {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return null;
    const asking = currentRequest();
    const found = await askForSession(
      db,
      { tokenHash: hashToken(token), now: clock.now() },
      planned,
    );
    if (found === null) return null;
    const caller = await startRequest(asking, () => admitted(found.session));
    return { caller, row: found.row };
  }

  async function admitted({ accountId, role, sessionId, isStale }: FoundSession): Promise<Caller> {
    if (isStale) await touchSession(db, config, { id: sessionId, now: clock.now() });
    return { accountId, role, sessionId };
  }
}
