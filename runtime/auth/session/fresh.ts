import { refuse } from "../../errors/index.js";
import { type Context, refuseUnauthenticated } from "../../http/index.js";
import { signedIn } from "./signed-in.js";
import { findBeginning } from "./store.js";

/** How long after signing in somebody is taken to be there still. */
const freshMilliseconds = 86_400_000;

/** Refuses a caller who signed in more than a day ago. */
export async function requireFresh(context: Context): Promise<void> {
  const { db, clock } = context.services;
  const begun = await findBeginning(db, signedIn(context).sessionId);
  if (begun === null) refuseUnauthenticated();
  if (clock.now().getTime() - begun.getTime() > freshMilliseconds) refuse("SESSION_NOT_FRESH");
}
