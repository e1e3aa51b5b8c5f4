import type { Queryable } from "../../db/index.js";

// Defined here to avoid import cycles: the passkey and second-step modules import the callers of these functions, which
// adopt accounts or end pending proofs.

export async function deletePasskeys(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.passkeys where user_id = $1", [accountId]);
}

/** Deletes every identity of an account, which disables its sign-ins with providers. */
export async function deleteIdentities(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.identities where user_id = $1", [accountId]);
}

/** Disables the second step, and deletes its backup codes and any pending setup. */
export async function deleteSecondStep(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.second_steps where user_id = $1", [accountId]);
  await deleteSetUp(tx, accountId);
}

export async function deleteSetUp(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.second_step_set_ups where user_id = $1", [accountId]);
}

/** Deletes the pending setups of a second step and of passkeys, and the pending change of the address. */
export async function deletePendingSetUps(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.email_changes where user_id = $1", [accountId]);
  await deleteSetUp(tx, accountId);
  await tx.query("delete from service.passkey_challenges where user_id = $1", [accountId]);
}
