import type { Transaction } from "../../db/index.js";
import type { Services } from "../../services/index.js";
import { deleteSecondStep } from "../account/factors.js";
import { roleShape } from "../account/input.js";
import { type Account, type Credentials, findCredentials, lockAccount } from "../account/store.js";
import { accept } from "../input.js";
import { linkTo } from "../mailed/message.js";
import { sendNotice } from "../mailed/notice.js";
import { replaceSecrets } from "../mailed/secrets.js";
import { revoke } from "../session/revoke.js";
import { setDisabled, setEnabled, setRole } from "./store.js";

// The operator's actions on accounts. Accounts are named by their normalised address; the result is null when
// there is no such account. All actions are idempotent.

type OperatorServices = Pick<Services, "db" | "clock">;

/** Sets or removes an account's role, effective from its next request. Refuses an invalid role. */
export async function assignRole(
  { db, clock }: OperatorServices,
  { email, role }: { readonly email: string; readonly role: string | null },
): Promise<Account | null> {
  return setRole(db, { email, ...accept(roleShape, { role }), now: clock.now() });
}

/** Signs out every device of an account, and refuses sign-ins until it is enabled again. */
export async function disableAccount(
  services: OperatorServices,
  email: string,
): Promise<Account | null> {
  return withLockedAccount(services, email, async (tx, account) => {
    await setDisabled(tx, { id: account.id, now: services.clock.now() });
    await revoke(tx, account, "none");
  });
}

/** Allows sign-ins to an account again. */
export async function enableAccount(
  { db, clock }: OperatorServices,
  email: string,
): Promise<Account | null> {
  return setEnabled(db, { email, now: clock.now() });
}

/**
 * Switches off the second step of an account whose owner lost the device; signed-in devices stay signed in. The
 * owner is notified by mail: somebody else may have persuaded the operator.
 */
export async function switchTwoFactorOff(
  services: OperatorServices & Pick<Services, "config" | "mailer">,
  email: string,
): Promise<Account | null> {
  return withLockedAccount(services, email, async (tx, account) => {
    await deleteSecondStep(tx, account.id);
    await revoke(tx, account, "all");
    if (account.enrolled.length > 0) {
      await sendNotice({ ...services, db: tx }, account, "second-step-off");
    }
  });
}

async function withLockedAccount(
  { db }: OperatorServices,
  email: string,
  work: (tx: Transaction, account: Credentials) => Promise<void>,
): Promise<Account | null> {
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, { email });
    if (account !== null) await work(tx, account);
    return account;
  });
}

/** A link that sets a new password, once; the previous link stops working. Nothing is mailed. */
export type ResetLink =
  | { readonly kind: "made"; readonly link: string; readonly minutes: number }
  | { readonly kind: "disabled-account" }
  /** The dashboard's address is not configured. */
  | { readonly kind: "unknown-dashboard" };

/** Makes a reset link for an account; null when there is no such account. */
export async function makeResetLink(
  services: Pick<Services, "db" | "clock" | "config">,
  email: string,
): Promise<ResetLink | null> {
  const account = await findCredentials(services.db, { email });
  if (account === null) return null;
  if (account.disabled) return { kind: "disabled-account" };
  const { token, minutes } = await replaceSecrets(services, {
    purpose: "reset",
    email,
    isUsable: true,
  });
  const link = linkTo(services.config, "/reset-password", { token });
  return link === null ? { kind: "unknown-dashboard" } : { kind: "made", link, minutes };
}
