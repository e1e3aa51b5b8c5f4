import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import type { Message } from "../../../mail/index.js";
import { type Credentials, findCredentials } from "../../account/store.js";
import { readBody } from "../../input.js";
import { countMailOrRefuse } from "../../mailed/limit.js";
import { linkTo } from "../../mailed/link.js";
import { type NoticeServices, sendNotice } from "../../mailed/notice.js";
import { recipientOf } from "../../mailed/recipient.js";
import { priorityOf, sendMailOrDecoy } from "../../mailed/request.js";
import { newSecrets } from "../../mailed/secrets.js";
import { refuseWrongPassword } from "../../password/reauthenticate.js";
import { findCallerAccount, lockCallerAccount } from "../../session/caller.js";
import { confirmOwner } from "../../session/confirm.js";
import type { Site } from "../../site.js";
import { changeShape } from "./input.js";
import { changeMinutes, changeScope } from "./rules.js";
import { upsertChange } from "./store.js";

/**
 * `POST /auth/email/change`: emails a code and a link to a new address. If the address has an account, the same work is
 * done with a secret that nothing matches, and its owner is notified of the attempt.
 */
export async function requestChange(context: Context): Promise<Answer> {
  const { services } = context;
  const { email, password, site } = await readBody(context, changeShape(services.config));
  const account = await findCallerAccount(context);
  if (email === account.email) {
    refuse("INVALID", { issues: [{ path: "email", message: "Is your current address" }] });
  }
  await confirmOwner(context, account, { password });
  const owner = await findCredentials(services.db, { email });
  await services.db.transaction(async (tx) => {
    const inside = { ...services, db: tx };
    const locked = await lockCallerAccount(tx, context);
    // The password has changed since it was checked.
    if (locked.generation !== account.generation) refuseWrongPassword("password");
    await countMailOrRefuse(inside, "email-change", email);
    await countMailOrRefuse(inside, "email-change", locked.id);
    const mail = await storeChange(inside, locked, { email, owner, site });
    await sendMailOrDecoy(inside, {
      decoy: { to: email, kind: "email-change" },
      message: mail,
      priority: owner === null ? "low" : priorityOf(owner),
    });
    await sendNotice(inside, locked, { kind: "email-change-requested" });
  });
  return { status: 204, json: null };
}

/** Replaces the account's pending change, and returns the email to the new address; null if its account is disabled. */
async function storeChange(
  { db: tx, clock, config }: NoticeServices,
  { id: accountId }: Credentials,
  {
    email,
    owner,
    site,
  }: { readonly email: string; readonly owner: Credentials | null; readonly site: Site },
): Promise<Message | null> {
  const scope = changeScope({ accountId, email });
  const { code, token, stored } = newSecrets(config, { scope, isUsable: owner === null });
  const expiresAt = new Date(clock.now().getTime() + changeMinutes * 60_000);
  await upsertChange(tx, { accountId, email, ...stored, expiresAt });
  if (owner !== null) {
    return owner.disabled ? null : { ...recipientOf(owner), kind: "email-wanted" };
  }
  const link = linkTo(site, "/change-email", { token });
  return { to: email, name: null, kind: "email-change", code, link, minutes: changeMinutes };
}
