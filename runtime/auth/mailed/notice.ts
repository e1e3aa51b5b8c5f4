import type { Transaction } from "../../db/index.js";
import type { NoticeKind } from "../../mail/index.js";
import type { Services } from "../../own-code/index.js";
import type { EventKind } from "../../values/api/event-kinds.js";
import type { Credentials } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { countMail } from "./limit.js";
import { recipientOf } from "./recipient.js";

/** The services for sending a notice; `db` is the transaction of the change. */
export type NoticeServices = Pick<Services, "clock" | "config" | "mailer"> & {
  readonly db: Transaction;
};

/** Changes that prove access to the address's mailbox. */
const provingAddress: readonly NoticeKind[] = ["address-adopted", "password-reset"];

/** Changes of the address itself: its owner is notified even if the address was never verified. */
const leavingAddress: readonly NoticeKind[] = ["email-change-requested", "email-changed"];

const eventOf: Readonly<Record<RecordedKind, EventKind>> = {
  "password-changed": "password-changed",
  "password-reset": "password-reset",
  "second-step-on": "two-factor-on",
  "second-step-off": "two-factor-off",
  "backup-codes-renewed": "backup-codes-renewed",
  "passkey-added": "passkey-added",
  "passkey-removed": "passkey-removed",
  "identity-added": "identity-added",
  "identity-removed": "identity-removed",
  "address-adopted": "address-adopted",
  "email-changed": "email-changed",
  "app-connected": "app-connected",
  "app-token-reused": "app-token-reused",
};

/**
 * A request for a change is not recorded as a change; an operator's view of an account is recorded elsewhere, with its
 * reason.
 */
type RecordedKind = Exclude<NoticeKind, UnrecordedKind>;

type UnrecordedKind = "email-change-requested" | "viewed-as";

/** A change to the ways to sign in to an account. */
type Change = RecordedChange & {
  /** The account that made the change; null for the command line. */
  readonly by: string | null;
};

type RecordedChange =
  | { readonly kind: Exclude<RecordedKind, IdentityKind | AppKind> }
  | {
      readonly kind: AppKind;
      /** The app's host: emails never contain the name that an app claims. */
      readonly host: string;
    }
  | {
      readonly kind: IdentityKind;
      /** The provider's display name, such as Google. */
      readonly provider: string;
    };

type IdentityKind = "identity-added" | "identity-removed";
type AppKind = "app-connected" | "app-token-reused";

type Notified = Pick<Credentials, "id" | "email" | "name" | "emailVerified" | "invited">;

/** Records a change to an account, and notifies its owner; see `sendNotice`. */
export async function announce(
  services: NoticeServices,
  account: Notified,
  { by, ...change }: Change,
): Promise<void> {
  await recordEvent(services, { kind: eventOf[change.kind], accountId: account.id, by });
  await sendNotice(services, account, change);
}

/**
 * Notifies the owner of an account of a change by email, after the commit and if notices are enabled. An unverified
 * address gets a notice only about the address itself. Accepting an invitation sends no notice. If the limit for that
 * kind of email is reached or the queue is full, the change is made without a notice.
 */
export async function sendNotice(
  { db, clock, config, mailer }: NoticeServices,
  account: Notified,
  change: RecordedChange | { readonly kind: UnrecordedKind },
): Promise<void> {
  const { kind } = change;
  if (!config.auth.notices || !mayNotify(account, kind)) return;
  const { allowed } = await countMail({ db, clock }, kind, account.email);
  if (!allowed) return;
  await mailer.send(db, { ...recipientOf(account), ...change, at: clock.now().toISOString() });
}

function mayNotify({ emailVerified, invited }: Notified, kind: NoticeKind): boolean {
  if (emailVerified || leavingAddress.includes(kind)) return true;
  return !invited && provingAddress.includes(kind);
}
