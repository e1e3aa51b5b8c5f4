import type { Queryable } from "../../db/index.js";
import { deletePendingSetUps } from "../account/factors.js";
import { type Account, nextGeneration } from "../account/store.js";
import { deleteMailedProofs } from "../mailed/store.js";
import { deleteChallenges } from "./challenge.js";
import { deleteSessions } from "./store.js";

/** The sessions that stay signed in. */
export type KeptSessions = "all" | "none" | { readonly sessionId: string };

/**
 * Ends everything that earlier proofs of an account started: pending sign-ins, setups, the codes and links emailed to
 * it, and every session that is not in `kept`. The account must be locked. Returns its new generation.
 */
export async function revoke(
  tx: Queryable,
  { id, email }: Pick<Account, "id" | "email">,
  kept: KeptSessions,
): Promise<number> {
  const generation = await endSignIns(tx, id);
  await deletePendingSetUps(tx, id);
  await deleteMailedProofs(tx, email);
  if (kept !== "all") {
    await deleteSessions(tx, id, kept === "none" ? null : kept.sessionId);
  }
  return generation;
}

/**
 * Ends the pending sign-ins of an account: those that are being verified now, and those that wait for their second
 * step. The account must be locked. Returns its new generation.
 */
export async function endSignIns(tx: Queryable, accountId: string): Promise<number> {
  const generation = await nextGeneration(tx, accountId);
  await deleteChallenges(tx, accountId);
  return generation;
}
