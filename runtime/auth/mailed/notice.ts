import type { Transaction } from "../../db/index.js";
import type { NoticeKind } from "../../mail/index.js";
import type { Services } from "../../own-code/index.js";
import type { EventKind } from "../../values/event-kinds.js";
import type { Credentials } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { countMail } from "./limit.js";
import { recipientOf } from "./message.js";

/** What sending a notice depends on; `db` is the transaction of the change. */
export type NoticeServices = Pick<Services, "clock" | "config" | "mailer"> & {
  readonly db: Transaction;
};

/** Changes that verify the address: whoever made them reads its mail. */
const provingAddress: readonly NoticeKind[] = ["address-adopted", "password-reset"];

/** The event that each change is recorded as. */
const eventOf: Readonly<Record<NoticeKind, EventKind>> = {
  "password-changed": "password-changed",
  "password-reset": "password-reset",
  "second-step-on": "two-factor-on",
  "second-step-off": "two-factor-off",
  "backup-codes-renewed": "backup-codes-renewed",
  "passkey-added": "passkey-added",
  "passkey-removed": "passkey-removed",
  "address-adopted": "address-adopted",
};

/** A change to how an account is signed in to. */
interface Change {
  readonly kind: NoticeKind;
  /** The account that made it; null for the command line. */
  readonly by: string | null;
}

type Notified = Pick<Credentials, "id" | "email" | "name" | "emailVerified" | "invited">;

/** Records a change to an account, and notifies its owner; see `sendNotice`. */
export async function announce(
  services: NoticeServices,
  account: Notified,
  { kind, by }: Change,
): Promise<void> {
  await recordEvent(services, { kind: eventOf[kind], accountId: account.id, by });
  await sendNotice(services, account, kind);
}

/**
 * Notifies the owner of an account of a change by mail, once the change is committed and if notices are on. None is
 * sent to an unverified address, nor when somebody accepts an invitation. Beyond the limit for mails of a kind, and
 * when the queue is full, the change is made without a notice.
 */
async function sendNotice(
  { db, clock, config, mailer }: NoticeServices,
  account: Notified,
  kind: NoticeKind,
): Promise<void> {
  if (!config.auth.notices) return;
  if (!account.emailVerified && (account.invited || !provingAddress.includes(kind))) return;
  const { allowed } = await countMail({ db, clock }, kind, account.email);
  if (!allowed) return;
  await mailer.send(db, { ...recipientOf(account), kind, at: clock.now().toISOString() });
}
