import { deleteSecondStep } from "../account/factors.js";
import type { Credentials } from "../account/store.js";
import { endViewsUnless } from "../account/views.js";
import { recordEvent } from "../event/record.js";
import { announce } from "../mailed/notice.js";
import { deleteMailedProofs } from "../mailed/store.js";
import { endSignIns, revoke } from "../session/revoke.js";
import { deleteSessions } from "../session/store.js";
import type { Operation } from "./authority.js";
import type { AccountRecords } from "./records.js";
import {
  deletePictures,
  type NameOrRole,
  setDisabled,
  setEnabled,
  setNameAndRole,
} from "./store.js";

// Operators' actions on accounts, over HTTP and on the command line. The caller must hold the lock of all operators,
// and after it the account's lock. Actions that would change nothing are not recorded.

/** Changes the name or the role. Takes effect with the account's next request. */
export async function changeAccount(
  operation: Operation,
  account: Credentials,
  change: NameOrRole,
): Promise<void> {
  const { name = account.name, role = account.role } = change;
  if (name === account.name && role === account.role) return;
  await setNameAndRole(operation.db, { id: account.id, name, role, now: operation.clock.now() });
  await endViewsUnless(operation, account, { role });
  await recordEvent(operation, {
    kind: "account-changed",
    accountId: account.id,
    by: operation.by,
  });
}

/** Signs out every device, and refuses sign-ins until the account is enabled again. */
export async function disableAccount(operation: Operation, account: Credentials): Promise<void> {
  await revoke(operation.db, account, "none");
  if (account.disabled) return;
  await setDisabled(operation.db, { id: account.id, now: operation.clock.now() });
  await recordEvent(operation, {
    kind: "account-disabled",
    accountId: account.id,
    by: operation.by,
  });
}

export async function enableAccount(operation: Operation, account: Credentials): Promise<void> {
  if (!account.disabled) return;
  await setEnabled(operation.db, { id: account.id, now: operation.clock.now() });
  await recordEvent(operation, {
    kind: "account-enabled",
    accountId: account.id,
    by: operation.by,
  });
}

/** Signs out every device, and ends pending sign-ins. */
export async function endSessions(operation: Operation, { id }: Credentials): Promise<void> {
  await endSignIns(operation.db, id);
  await deleteSessions(operation.db, id, null);
  await recordEvent(operation, { kind: "sessions-ended", accountId: id, by: operation.by });
}

/**
 * Disables the second step, for an owner who lost the device; signed-in devices stay signed in. The owner is notified
 * by email, in case another person has persuaded the operator.
 */
export async function disableTwoFactor(operation: Operation, account: Credentials): Promise<void> {
  await deleteSecondStep(operation.db, account.id);
  await revoke(operation.db, account, "all");
  if (account.enrolled.length === 0) return;
  await announce(operation, account, { kind: "second-step-off", by: operation.by });
}

/**
 * Deletes the account with its devices, passkeys, pictures and dependent records; keeps its events. Refused with 409 if
 * a group would lose its last founder; fails with a foreign key violation if records are required to belong to it.
 */
export async function deleteAccount(
  operation: Operation,
  { id, email }: Credentials,
  records: AccountRecords,
): Promise<void> {
  await recordEvent(operation, { kind: "account-deleted", accountId: id, by: operation.by });
  await deleteMailedProofs(operation.db, email);
  await deletePictures(operation.db, id);
  await deleteSessions(operation.db, id, null);
  await records.delete(operation.db, id);
}
