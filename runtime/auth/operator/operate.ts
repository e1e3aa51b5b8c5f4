import type { Transaction } from "../../db/index.js";
import type { Services } from "../../services/index.js";
import { deleteSecondStep } from "../account/factors.js";
import { roleShape } from "../account/input.js";
import { type Account, type Credentials, findCredentials, lockAccount } from "../account/store.js";
import { accept } from "../input.js";
import { linkTo } from "../mailed/message.js";
import { notify } from "../mailed/notice.js";
import { replaceSecrets } from "../mailed/secrets.js";
import { revoke } from "../session/revoke.js";
import { setDisabled, setEnabled, setRole } from "./store.js";

// What the operator does to an account, past its owner. Accounts are named by their normalised address; the
// answer is null where none has it. All of it may be done twice.

type OperatorServices = Pick<Services, "db" | "clock">;

/** Gives an account that role, or none; it counts from its next request on. Refuses a bad role. */
export async function assignRole(
  { db, clock }: OperatorServices,
  { email, role }: { readonly email: string; readonly role: string | null },
): Promise<Account | null> {
  return setRole(db, { email, ...accept(roleShape, { role }), now: clock.now() });
}

/** Signs every device of an account out and lets none in, until it is enabled again. */
export async function disableAccount(
  services: OperatorServices,
  email: string,
): Promise<Account | null> {
  return whileLocked(services, email, async (tx, account) => {
    await setDisabled(tx, { id: account.id, now: services.clock.now() });
    await revoke(tx, account, "none");
  });
}

/** Lets people in to an account again; they sign in anew. */
export async function enableAccount(
  { db, clock }: OperatorServices,
  email: string,
): Promise<Account | null> {
  return setEnabled(db, { email, now: clock.now() });
}

/**
 * Switches an account's second step off, for somebody who lost the device; who is signed in stays so. The
 * owner is told by mail: somebody else may have persuaded the operator.
 */
export async function switchTwoFactorOff(
  services: OperatorServices & Pick<Services, "config" | "mailer">,
  email: string,
): Promise<Account | null> {
  return whileLocked(services, email, async (tx, account) => {
    await deleteSecondStep(tx, account.id);
    await revoke(tx, account, "all");
    if (account.enrolled.length > 0) {
      await notify({ ...services, db: tx }, account, "second-step-off");
    }
  });
}

async function whileLocked(
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

/** A link that sets another password, once; the one before it is dead. Nothing is mailed. */
export type ResetLink =
  | { readonly kind: "made"; readonly link: string; readonly minutes: number }
  | { readonly kind: "disabled-account" }
  /** Where the dashboard is has not been configured. */
  | { readonly kind: "unknown-dashboard" };

/** Makes a reset link for an account. */
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
    opens: true,
  });
  const link = linkTo(services.config, "/reset-password", { token });
  return link === null ? { kind: "unknown-dashboard" } : { kind: "made", link, minutes };
}
