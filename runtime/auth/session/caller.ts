import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { type Context, refuseUnauthenticated } from "../../http/index.js";
import { type Credentials, findCredentials, lockAccount } from "../account/store.js";
import { findBeginning, isOpen } from "./store.js";

/** Who calls a route that needs a token; these routes exist only where a token is a session. */
export interface SignedInCaller {
  readonly accountId: string;
  readonly sessionId: string;
}

/** The caller of a route that needs a token. */
export function signedIn({ caller }: Context): SignedInCaller {
  if (caller === null || caller.sessionId === null) return refuseUnauthenticated();
  return { accountId: caller.accountId, sessionId: caller.sessionId };
}

/** The caller's account. */
export async function callersAccount(context: Context): Promise<Credentials> {
  const account = await findCredentials(context.services.db, {
    id: signedIn(context).accountId,
  });
  // The account may have gone since the token was checked.
  return account ?? refuseUnauthenticated();
}

/**
 * The caller's account, locked for the rest of the transaction; refuses a caller that was signed out since
 * the token was checked.
 */
export async function lockCaller(tx: Queryable, context: Context): Promise<Credentials> {
  const { accountId, sessionId } = signedIn(context);
  const account = await lockAccount(tx, { id: accountId });
  const open = await isOpen(tx, sessionId, context.services.clock.now());
  if (account === null || account.disabled || !open) return refuseUnauthenticated();
  return account;
}

/** How long after signing in somebody is taken to be there still. */
const freshMilliseconds = 86_400_000;

/** Refuses a caller who signed in more than a day ago. */
export async function requireFresh(context: Context): Promise<void> {
  const { db, clock } = context.services;
  const begun = await findBeginning(db, signedIn(context).sessionId);
  if (begun === null) refuseUnauthenticated();
  if (clock.now().getTime() - begun.getTime() > freshMilliseconds) refuse("SESSION_NOT_FRESH");
}
