import type { Queryable } from "../../db/index.js";
import { endSetUps } from "../account/factors.js";
import { type Account, nextGeneration } from "../account/store.js";
import { endMailedProofs } from "../mailed/store.js";
import { endChallenges } from "./challenge.js";
import { deleteSessions } from "./store.js";

/** Which devices stay signed in. */
export type Survivors = "all" | "none" | { readonly sessionId: string };

/**
 * Ends what was begun for an account with earlier proofs: sign-ins under way, set-ups, the codes and links
 * mailed to it, and every session that is not among the survivors. The account must be locked. Returns
 * its new generation.
 */
export async function revoke(
  tx: Queryable,
  { id, email }: Pick<Account, "id" | "email">,
  survivors: Survivors,
): Promise<number> {
  const generation = await endSignIns(tx, id);
  await endSetUps(tx, id);
  await endMailedProofs(tx, email);
  if (survivors !== "all") {
    await deleteSessions(tx, id, survivors === "none" ? null : survivors.sessionId);
  }
  return generation;
}

/**
 * Ends the sign-ins of an account that are under way: those being checked at this moment, and those that
 * wait for their second step. The account must be locked. Returns its new generation.
 */
export async function endSignIns(tx: Queryable, accountId: string): Promise<number> {
  const generation = await nextGeneration(tx, accountId);
  await endChallenges(tx, accountId);
  return generation;
}
