import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { type Context, refuseUnauthenticated } from "../../http/index.js";
import { type Credentials, findCredentials, lockAccount } from "../account/store.js";
import { findSessionStart, isSessionOpen } from "./store.js";

/** The caller of a route that requires a token. Such routes exist only if tokens are sessions. */
export interface SessionCaller {
  readonly accountId: string;
  readonly sessionId: string;
}

/** Returns the caller of a route that requires a token; refuses a request without one. */
export function requireCaller({ caller }: Context): SessionCaller {
  if (caller === null || caller.sessionId === null) return refuseUnauthenticated();
  return { accountId: caller.accountId, sessionId: caller.sessionId };
}

/**
 * Identifies the caller of a public route whose body requires a token, and adds it to the context. Refuses everything
 * that a signed-in route refuses.
 */
export async function identifyCaller(context: Context): Promise<Context> {
  const caller = (await context.admit?.()) ?? refuseUnauthenticated();
  return { ...context, caller };
}

export async function findCallerAccount(context: Context): Promise<Credentials> {
  const account = await findCredentials(context.services.db, {
    id: requireCaller(context).accountId,
  });
  // The account may have been deleted since the token was checked.
  return account ?? refuseUnauthenticated();
}

/**
 * Finds the caller's account and locks it for the rest of the transaction. Refuses a caller who was signed out
 * after the token was checked.
 */
export async function lockCallerAccount(tx: Queryable, context: Context): Promise<Credentials> {
  const { accountId, sessionId } = requireCaller(context);
  const account = await lockAccount(tx, { id: accountId });
  const isOpen = await isSessionOpen(tx, sessionId, context.services.clock.now());
  if (account === null || account.disabled || !isOpen) return refuseUnauthenticated();
  return account;
}

/** Refuses a caller with a service token: only people who signed in may change how an account signs in. */
export async function refuseServiceToken(context: Context): Promise<void> {
  const start = await findSessionStart(context.services.db, requireCaller(context).sessionId);
  if (start === null) refuseUnauthenticated();
  if (start.kind !== "device") refuse("SESSION_NOT_FRESH");
}

/** Refuses an app (403), regardless of the rights of its account. */
export async function refuseApp(context: Context): Promise<void> {
  const start = await findSessionStart(context.services.db, requireCaller(context).sessionId);
  if (start?.kind === "app") refuse("FORBIDDEN");
}

/** Milliseconds after the sign-in for which a session counts as fresh. */
const maxFreshMilliseconds = 86_400_000;

/** Refuses a caller who signed in more than a day ago, and a service token, which never signed in. */
export async function requireFreshSession(context: Context): Promise<void> {
  const { db, clock } = context.services;
  const start = await findSessionStart(db, requireCaller(context).sessionId);
  if (start === null) refuseUnauthenticated();
  const age = clock.now().getTime() - start.at.getTime();
  if (start.kind !== "device" || age > maxFreshMilliseconds) refuse("SESSION_NOT_FRESH");
}
