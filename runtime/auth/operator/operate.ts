import type { Services } from "../../own-code/index.js";
import { unlessTaken } from "../account/address.js";
import { roleShape } from "../account/input.js";
import { isOperator } from "../account/is-operator.js";
import { isLastOperator, lockOperators } from "../account/last-operator.js";
import { type Account, type Credentials, findCredentials, lockAccount } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { accept } from "../input.js";
import { linkTo } from "../mailed/link.js";
import { replaceSecrets } from "../mailed/secrets.js";
import * as actions from "./account-actions.js";
import { LastOperator, type Operation } from "./authority.js";
import { changeEmail } from "./email.js";
import type { AccountRecords } from "./records.js";

// The command line's actions on accounts. Accounts are identified by their normalized address; the result is null if
// there is no such account. All actions are idempotent.

type CommandServices = Pick<Services, "db" | "clock" | "config" | "mailer" | "log">;

/** Sets or removes an account's role, effective from the account's next request. Refuses an invalid role. */
export async function assignRole(
  services: CommandServices,
  { email, ...sent }: { readonly email: string; readonly role: string | null },
): Promise<Account | null> {
  const { role } = accept(roleShape, sent);
  const account = await operate(services, email, async (operation, found) => {
    if (!isOperator(operation.config, { role })) await keepLastOperator(operation, found);
    await actions.changeAccount(operation, found, { role });
  });
  return account && { ...account, role };
}

/** Changes an account's address after normalizing it; see `changeEmail`. Refuses an address that has an account. */
export function setEmail(
  services: CommandServices,
  { email, to }: { readonly email: string; readonly to: string },
): Promise<Account | null> {
  return unlessTaken(() =>
    operate(services, email, async (operation, account) => {
      await changeEmail(operation, account, to);
    }),
  );
}

/** Signs out every device of an account, and refuses sign-ins until it is enabled again. */
export function disableAccount(services: CommandServices, email: string): Promise<Account | null> {
  return operate(services, email, async (operation, account) => {
    await keepLastOperator(operation, account);
    await actions.disableAccount(operation, account);
  });
}

export function enableAccount(services: CommandServices, email: string): Promise<Account | null> {
  return operate(services, email, actions.enableAccount);
}

/** Disables the second step of an account and notifies its owner. */
export function disableTwoFactor(
  services: CommandServices,
  email: string,
): Promise<Account | null> {
  return operate(services, email, actions.disableTwoFactor);
}

/** Deletes an account. Refused with the numbers of records that are required to belong to it, if there are any. */
export async function deleteAccount(
  services: CommandServices,
  { email, records }: { readonly email: string; readonly records: AccountRecords },
): Promise<Account | null> {
  let id = "";
  try {
    return await operate(services, email, async (operation, account) => {
      id = account.id;
      await keepLastOperator(operation, account);
      await actions.deleteAccount(operation, account, records);
    });
  } catch (error) {
    const { db, log } = services;
    return records.explain(error, { db, log, id });
  }
}

async function operate(
  services: CommandServices,
  email: string,
  work: (operation: Operation, account: Credentials) => Promise<void>,
): Promise<Account | null> {
  return services.db.transaction(async (tx) => {
    await lockOperators(tx);
    const account = await lockAccount(tx, { email });
    if (account !== null) await work({ ...services, db: tx, by: null }, account);
    return account;
  });
}

async function keepLastOperator(operation: Operation, account: Credentials): Promise<void> {
  if (await isLastOperator(operation, account)) throw new LastOperator(account, operation.config);
}

/** A single-use link that sets a new password; the previous link becomes invalid. Nothing is emailed. */
export type ResetLink =
  | { readonly kind: "made"; readonly link: string; readonly minutes: number }
  | { readonly kind: "disabled-account" }
  /** The dashboard's address is not configured. */
  | { readonly kind: "unknown-dashboard" };

/** Makes a reset link for an account; null if there is no such account. */
export async function makeResetLink(
  services: Pick<Services, "db" | "clock" | "config">,
  email: string,
): Promise<ResetLink | null> {
  const account = await findCredentials(services.db, { email });
  if (account === null) return null;
  if (account.disabled) return { kind: "disabled-account" };
  return services.db.transaction(async (tx): Promise<ResetLink> => {
    const inside = { ...services, db: tx };
    const purpose = "reset";
    const { token, minutes } = await replaceSecrets(inside, { purpose, email, isUsable: true });
    const link = linkTo(services.config, "/reset-password", { token });
    if (link === null) return { kind: "unknown-dashboard" };
    // The link lets its holder sign in, so it is recorded as if it had been emailed.
    await recordEvent(inside, { kind: "reset-mailed", accountId: account.id, by: null });
    return { kind: "made", link, minutes };
  });
}
