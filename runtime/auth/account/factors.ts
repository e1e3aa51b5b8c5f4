import type { Queryable } from "../../db/index.js";

// Passkeys and second steps have rooms of their own, which stand above the accounts; what becomes of them
// when an account changes hands, or its proofs end, is decided below those.

/** Takes every passkey of an account away. */
export async function deletePasskeys(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.passkeys where user_id = $1", [accountId]);
}

/** Switches the second step off; its backup codes go with it, and a set-up that waits. */
export async function deleteSecondStep(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.second_steps where user_id = $1", [accountId]);
  await deleteSetUp(tx, accountId);
}

/** Ends the set-up of a second step. */
export async function deleteSetUp(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.second_step_set_ups where user_id = $1", [accountId]);
}

/** Ends what was begun to set up a second step or a passkey. */
export async function endSetUps(tx: Queryable, accountId: string): Promise<void> {
  await deleteSetUp(tx, accountId);
  await tx.query("delete from service.passkey_challenges where user_id = $1", [accountId]);
}
