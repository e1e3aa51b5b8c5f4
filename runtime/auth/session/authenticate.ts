import {
  type CallerLookUp,
  isSentWithCaller,
  type Plan,
  planFor,
  type Unread,
} from "../../db/index.js";
import type { Gate, GateCall, ReadResult, Row } from "../../http/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import { noteServiceToken } from "../../request/index.js";
import { bearerToken, hashToken, prefixOf } from "../token/token.js";
import { identifyDelegate } from "./delegated/identify.js";
import { newLastUses } from "./last-use/last-uses.js";
import { findRoles } from "./still-open.js";
import { callerOf, type FoundSession, findSession, sessionLookUp } from "./store.js";

/**
 * Identifies the caller of a request by its bearer token; null for a token that is missing, malformed, unknown,
 * expired or of a disabled account. The database is queried each time: revocation takes effect at once.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one gate, whose ways to identify a caller share the notes of uses
export function sessionGate(services: Pick<Services, "config" | "db" | "clock" | "log">): Gate {
  const { clock } = services;
  const lastUses = newLastUses(services);
  return {
    identify,
    ask,
    rolesOf: (callers) => findRoles(services, callers),
    finish: lastUses.finish,
  };

  async function identify(call: GateCall): Promise<Caller | null> {
    const token = bearerToken(call.request.headers.authorization);
    if (token === null) return null;
    if (prefixOf(token) !== "") return delegateOf(call, token);
    const found = await foundBy(call, token, (look) => findSession(call.services.db, look));
    return found && callerOf(found);
  }

  async function ask(call: GateCall, plan: Plan): Promise<ReadResult | null> {
    const token = bearerToken(call.request.headers.authorization);
    if (token === null) return null;
    if (prefixOf(token) !== "") return askForDelegate(call, token, plan);
    const found = await foundBy(call, token, (caller) =>
      call.services.db.read<FoundSession & Row & Unread>({ ...plan, caller }),
    );
    return found && { caller: callerOf(found), row: found._isUnread === true ? null : found };
  }

  async function delegateOf(
    { request, services }: GateCall,
    token: string,
  ): Promise<Caller | null> {
    const found = await identifyDelegate(services, token, request);
    if (found === null) return null;
    if (found.use !== null) lastUses.note(found.use, hashToken(token));
    return found.caller;
  }

  async function askForDelegate(
    call: GateCall,
    token: string,
    plan: Plan,
  ): Promise<ReadResult | null> {
    const caller = await delegateOf(call, token);
    if (caller === null) return null;
    if (!isSentWithCaller(plan)) return { caller, row: null };
    const [row = {}] = await call.services.db.read<Row>(planFor(plan, caller.accountId));
    return { caller, row };
  }

  /**
   * Finds the session of a token with the lookup, and records its use. An expired session counts as open if a use that
   * extends it has not been stored yet, or was stored too late for the lookup.
   */
  async function foundBy<Found extends FoundSession>(
    { services }: GateCall,
    token: string,
    read: (look: CallerLookUp) => Promise<readonly Found[]>,
  ): Promise<Found | null> {
    const tokenHash = hashToken(token);
    const now = clock.now();
    const look = sessionLookUp(tokenHash, now);
    const wasUnstored = lastUses.isUnstored(tokenHash);
    let [found = null] = await read(look);
    if (found === null) {
      if (!wasUnstored && !lastUses.isUnstored(tokenHash)) return null;
      await lastUses.storeNow();
      [found = null] = await read(look);
    }
    if (found === null) return null;
    noteServiceToken(services.request, found._token);
    if (found._stale) lastUses.note({ sessionId: found._session, at: now }, tokenHash);
    return found;
  }
}
