import {
  byText,
  type CachedRead,
  type Database,
  isCacheable,
  type QueryMethod,
  snapshotSql,
  throughCache,
} from "../../db/index.js";
import {
  type Asked,
  callersAccount,
  type Gate,
  type PlannedRead,
  type ReadResult,
  type Row,
} from "../../http/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import { noteServiceToken } from "../../request/index.js";
import { bearerToken, hashToken } from "../token/token.js";
import { newLastUses } from "./last-use/last-uses.js";
import { findOpen } from "./still-open.js";
import { type FoundSession, findSession, openSession } from "./store.js";

/**
 * Identifies the caller of a request by its bearer token; null for a token that is missing, malformed, unknown,
 * expired or of a disabled account. The database is queried each time: revocation takes effect at once.
 */
export function sessionGate(services: Pick<Services, "config" | "db" | "clock" | "log">): Gate {
  const { db, clock } = services;
  const lastUses = newLastUses(services);
  return {
    identify,
    ask,
    stillOpen: (sessions) => findOpen(db, sessions, clock.now()),
    finish: lastUses.finish,
  };

  async function identify({ request, services }: Asked): Promise<Caller | null> {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return null;
    const tokenHash = hashToken(token);
    const session = await foundBy(services, tokenHash, (now) =>
      findSession(services.db, tokenHash, now),
    );
    return session && callerOf(session);
  }

  async function ask(
    { request, services }: Asked,
    planned: PlannedRead,
  ): Promise<ReadResult | null> {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return null;
    const tokenHash = hashToken(token);
    const found = await foundBy(services, tokenHash, async (now) => {
      const asked = await askForSession(services.db, { tokenHash, now }, planned);
      return asked && { ...asked.session, row: asked.row };
    });
    return found && { caller: callerOf(found), row: found.row };
  }

  /**
   * Finds the session of a token by that look-up, and notes its use. A session is not taken for ended while a use that
   * extends it is unstored; one that was stored during the look-up may have been too late for it.
   */
  async function foundBy<Found extends FoundSession>(
    { request }: Pick<Services, "request">,
    tokenHash: Buffer,
    lookUp: (now: Date) => Promise<Found | null>,
  ): Promise<Found | null> {
    const now = clock.now();
    const wasUnstored = lastUses.isUnstored(tokenHash);
    let found = await lookUp(now);
    if (found === null) {
      if (!wasUnstored && !lastUses.isUnstored(tokenHash)) return null;
      await lastUses.storeNow();
      found = await lookUp(now);
    }
    if (found !== null) noteServiceToken(request, found.serviceToken);
    if (found?.isStale) lastUses.note({ sessionId: found.sessionId, at: now }, tokenHash);
    return found;
  }
}

function callerOf({ accountId, role, sessionId }: FoundSession): Caller {
  return { accountId, role, sessionId };
}

/**
 * Finds the session of a token and reads on its behalf, in one statement. Without a session there is no row to join, so
 * nothing is read.
 */
async function askForSession(
  db: Database,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
  { text, values, via, resource }: Omit<PlannedRead, "answer">,
): Promise<{ readonly session: FoundSession; readonly row: Row } | null> {
  const { joined, isCached, isOfCaller } = joinedText(text, () =>
    textForSession(text, values.length, via),
  );
  const access = resource === undefined ? db : db.ofResource(resource);
  const ask = async () => {
    const rows = await access[via]<AskedRow>(joined, [...values, tokenHash, now.toISOString()]);
    const [found] = rows;
    if (found === undefined) return null;
    const { _id, _account, _role, _token, _stale, _snapshot, ...row } = found;
    const seen: FoundSession = {
      ...{ sessionId: _id, accountId: _account, role: _role, isStale: _stale },
      serviceToken: _token,
      snapshot: _snapshot,
    };
    return { seen, row };
  };
  const read: CachedRead = isOfCaller
    ? { text, values, of: tokenHash.toString("base64") }
    : { text, values };
  const found = await throughCache<FoundSession, Row>(isCached ? db.cache : undefined, read, {
    look: () => findSession(db, tokenHash, now),
    ask,
  });
  return found === null ? null : { session: found.seen, row: found.row };
}

interface JoinedText {
  readonly joined: string;
  /** Whether its rows can be cached. */
  readonly isCached: boolean;
  /** Whether the rows that are cached depend on whose session it is. */
  readonly isOfCaller: boolean;
}

const joinedText = byText<JoinedText>();

function textForSession(text: string, parameters: number, via: QueryMethod): JoinedText {
  const isCached = isCacheable(text, via);
  const joined = `
    with _session as materialized (${openSession(parameters + 1)}
    )
    select
      _session.id as _id,
      ${callersAccount} as _account,
      _session.role as _role,
      _session.service_token as _token,
      _session.is_stale as _stale,
      ${isCached ? snapshotSql : "''"} as _snapshot,
      _answer.*
    from _session
    left join lateral (${text}) as _answer on true`;
  return { joined, isCached, isOfCaller: isCached && text.includes(callersAccount) };
}

type AskedRow = Row & {
  readonly _id: string;
  readonly _account: string;
  readonly _role: string | null;
  readonly _token: string | null;
  readonly _stale: boolean;
  readonly _snapshot: string;
};
