import { refuseTaken } from "../account/address.js";
import { type Credentials, setEmail } from "../account/store.js";
import { countMailOrRefuse } from "../mailed/limit.js";
import { announce } from "../mailed/notice.js";
import { recipientOf } from "../mailed/recipient.js";
import { sendMailOrDecoy } from "../mailed/request.js";
import { replaceSecrets } from "../mailed/secrets.js";
import { deleteMailedProofs } from "../mailed/store.js";
import { verificationMail } from "../mailed/verification-mail.js";
import { revoke } from "../session/revoke.js";
import type { Operation } from "./authority.js";
import { findAccountId } from "./store.js";

/**
 * Changes the address of a locked account, and emails how to verify it. The operator vouches for the owner, so
 * verifying the address deletes nothing. Returns the updated account. Refuses an address that has an account;
 * `unlessTaken` handles an address that is taken concurrently.
 */
export async function changeEmail(
  operation: Operation,
  account: Credentials,
  email: string,
): Promise<Credentials> {
  if (email === account.email) return account;
  const { db, clock, config, by } = operation;
  if ((await findAccountId(db, email)) !== null) refuseTaken();
  await setEmail(db, { id: account.id, email, isVerified: false, now: clock.now() });
  const generation = await revoke(db, account, "all");
  await deleteMailedProofs(db, email);
  await announce(operation, account, { kind: "email-changed", by });
  const changed = { ...account, email, emailVerified: false, invited: true, generation };
  // A disabled account cannot verify its address: the links in its emails would be refused.
  if (account.disabled) return changed;
  const purpose = "verification";
  await countMailOrRefuse(operation, "operator-verification", email);
  const secrets = await replaceSecrets(operation, { purpose, email, isUsable: true });
  const message = verificationMail(config, recipientOf(changed), secrets);
  await sendMailOrDecoy(operation, { decoy: { to: email, kind: purpose }, message });
  return changed;
}
