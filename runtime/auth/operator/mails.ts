import { v7 } from "uuid";
import { refuse } from "../../errors/index.js";
import type { Message } from "../../mail/index.js";
import { refuseTaken } from "../account/address.js";
import { type Account, type Credentials, insertAccount } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { countMailOrRefuse } from "../mailed/limit.js";
import { linkTo } from "../mailed/link.js";
import { recipientOf } from "../mailed/recipient.js";
import { sendMailOrDecoy } from "../mailed/request.js";
import { replaceSecrets } from "../mailed/secrets.js";
import type { Operation } from "./authority.js";

/** An account to be created for another person. */
export type Invited = Pick<Account, "name" | "email" | "role">;

/**
 * Creates an account without a password, and emails its owner a link to set one. Refuses an address that has an
 * account.
 */
export async function invite(operation: Operation, invited: Invited): Promise<string> {
  const { db, clock, by } = operation;
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  const account = { ...invited, id, passwordHash: null, emailVerified: false };
  if (!(await insertAccount(db, { ...account, now }))) refuseTaken();
  await recordEvent(operation, { kind: "account-created", accountId: id, by });
  await countMailOrRefuse(operation, "invitation", invited.email);
  await mailLink(operation, { ...account, invited: true }, "invitation");
  return id;
}

/** Emails the owner of an account a link to set a new password. Refuses if the account is disabled. */
export async function mailReset(operation: Operation, account: Credentials): Promise<void> {
  if (account.disabled) refuse("INVALID", { error: "The account is disabled: enable it first" });
  await countMailOrRefuse(operation, "operator-reset", account.email);
  await mailLink(operation, account, "reset");
  await recordEvent(operation, { kind: "reset-mailed", accountId: account.id, by: operation.by });
}

async function mailLink(
  operation: Operation,
  account: Pick<Credentials, "email" | "name" | "emailVerified" | "invited">,
  purpose: "reset" | "invitation",
): Promise<void> {
  const { email } = account;
  const { token, minutes } = await replaceSecrets(operation, { purpose, email, isUsable: true });
  const link = linkTo(operation.config, "/reset-password", { token });
  const kind = purpose === "reset" ? ("reset-link" as const) : ("invitation" as const);
  const message: Message | null =
    link === null ? null : { ...recipientOf(account), kind, link, minutes };
  await sendMailOrDecoy(operation, { decoy: { to: email, kind }, message });
}
