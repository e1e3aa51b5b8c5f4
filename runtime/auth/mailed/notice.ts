import type { Transaction } from "../../db/index.js";
import type { NoticeKind } from "../../mail/index.js";
import type { Services } from "../../services/index.js";
import type { Credentials } from "../account/store.js";
import { countMail } from "./limit.js";
import { recipientOf } from "./message.js";

/** What sending a notice depends on; `db` is the transaction of the change. */
export type NoticeServices = Pick<Services, "clock" | "config" | "mailer"> & {
  readonly db: Transaction;
};

/** Changes that verify the address: whoever made them reads its mail. */
const provingAddress: readonly NoticeKind[] = ["address-adopted", "password-reset"];

/**
 * Notifies the owner of an account of a change by mail, once the change is committed and if notices are on: at
 * most six mails an hour of each kind, and none to an unverified address. Beyond that, and when the queue is full,
 * the change is made without a notice.
 */
export async function sendNotice(
  { db, clock, config, mailer }: NoticeServices,
  account: Pick<Credentials, "email" | "name" | "emailVerified">,
  kind: NoticeKind,
): Promise<void> {
  if (!config.auth.notices) return;
  if (!account.emailVerified && !provingAddress.includes(kind)) return;
  const { allowed } = await countMail({ db, clock }, kind, account.email);
  if (!allowed) return;
  await mailer.send(db, { ...recipientOf(account), kind, at: clock.now().toISOString() });
}
