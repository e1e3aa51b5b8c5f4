import type { Queryable } from "../../db/index.js";

// These functions are here to avoid import cycles: the passkey and second-step modules import their callers, which
// adopt accounts or end pending proofs.

export async function deletePasskeys(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.passkeys where user_id = $1", [accountId]);
}

/** Deletes every identity of an account, which ends sign-ins with a provider. */
export async function deleteIdentities(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.identities where user_id = $1", [accountId]);
}

/** Turns off the second step, and deletes its backup codes and a pending set-up. */
export async function deleteSecondStep(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.second_steps where user_id = $1", [accountId]);
  await deleteSetUp(tx, accountId);
}

export async function deleteSetUp(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.second_step_set_ups where user_id = $1", [accountId]);
}

/** Deletes the pending set-ups of a second step and of passkeys, and the pending change of the address. */
export async function deletePendingSetUps(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.email_changes where user_id = $1", [accountId]);
  await deleteSetUp(tx, accountId);
  await tx.query("delete from service.passkey_challenges where user_id = $1", [accountId]);
}
