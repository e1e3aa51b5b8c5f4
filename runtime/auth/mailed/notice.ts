import type { Transaction } from "../../db/index.js";
import type { NoticeKind } from "../../mail/index.js";
import type { Services } from "../../services/index.js";
import type { Credentials } from "../account/store.js";
import { countMail } from "./limit.js";
import { addresseeOf } from "./message.js";

/** What telling an owner stands on; `db` is the transaction of the change. */
export type NoticeServices = Pick<Services, "clock" | "config" | "mailer"> & {
  readonly db: Transaction;
};

/** Changes that prove the address: their notices go to its reader, who is known by now. */
const proving: readonly NoticeKind[] = ["address-adopted", "password-reset"];

/**
 * Mails the owner of an account what was changed, if the change is committed and notices are on: at most six
 * mails an hour of each kind, and none to an address that nobody has proved. Beyond that, and where too many
 * mails wait, the change goes on without.
 */
export async function notify(
  { db, clock, config, mailer }: NoticeServices,
  account: Pick<Credentials, "email" | "name" | "emailVerified">,
  kind: NoticeKind,
): Promise<void> {
  if (!config.auth.notices) return;
  if (!account.emailVerified && !proving.includes(kind)) return;
  const { allowed } = await countMail({ db, clock }, kind, account.email);
  if (!allowed) return;
  await mailer.send(db, { ...addresseeOf(account), kind, at: clock.now().toISOString() });
}
