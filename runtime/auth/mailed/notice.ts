import type { Transaction } from "../../db/index.js";
import type { Services } from "../../http/index.js";
import type { NoticeKind } from "../../mail/index.js";
import type { Credentials } from "../account/store.js";
import { addresseeOf } from "./message.js";

/** What telling an owner stands on; `db` is the transaction of the change. */
export type NoticeServices = Pick<Services, "clock" | "config" | "mailer"> & {
  readonly db: Transaction;
};

/**
 * Mails the owner of an account what was changed, if the change is committed and notices are on. Where too
 * many mails wait, the change goes on without.
 */
export async function notify(
  { db, clock, config, mailer }: NoticeServices,
  account: Pick<Credentials, "email" | "name" | "emailVerified">,
  kind: NoticeKind,
): Promise<void> {
  if (!config.auth.notices) return;
  await mailer.send(db, { ...addresseeOf(account), kind, at: clock.now().toISOString() });
}
