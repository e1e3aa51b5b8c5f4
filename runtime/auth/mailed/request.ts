import { z } from "zod";
import type { Transaction } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { MailPriority, Message } from "../../mail/index.js";
import type { Services } from "../../own-code/index.js";
import { addressShape } from "../account/input.js";
import { type Credentials, findCredentials } from "../account/store.js";
import { shapeOf } from "../input.js";
import { siteShape } from "../site.js";
import { countMailOrRefuse } from "./limit.js";
import { kindOf, type MailedPurpose } from "./purposes.js";
import { type Recipient, recipientOf } from "./recipient.js";
import { type MailedSecrets, replaceSecrets } from "./secrets.js";

export const emailShape = z.strictObject({ email: addressShape });

/** The body of a request for a link; depends on the app's settings. */
export const linkShape = shapeOf((config: Services["config"]) =>
  emailShape.extend({ site: siteShape(config) }),
);

export interface MailRequest {
  readonly purpose: MailedPurpose;
  /** The normalized address. */
  readonly email: string;
  /** Whether an account may receive the email; by default every account. */
  isEligible?(account: Credentials): boolean;
  /**
   * Whether an address without an account receives the email too, because using the email creates an
   * account.
   */
  readonly registers?: boolean;
  /** Composes the email; null if there is no page to link to. */
  compose(recipient: Recipient, secrets: MailedSecrets): Message | null;
}

/**
 * Emails a new code or link to an account's address; the previous ones become invalid. For a disabled or ineligible
 * account, and for an address without an account unless `registers` is set, the same work is done with a decoy, which
 * is never sent. Refuses requests beyond the limit for the email address, and all requests while the queue is full.
 */
export async function requestMail(
  services: Services,
  { purpose, email, isEligible, registers = false, compose }: MailRequest,
): Promise<void> {
  const account = await findCredentials(services.db, { email });
  const recipient = recipientFor(account);
  await services.db.transaction(async (tx) => {
    const inside = { ...services, db: tx };
    // In the transaction, so that a request refused because of a full queue is not counted.
    await countMailOrRefuse(inside, purpose, email);
    const secrets = await replaceSecrets(inside, { purpose, email, isUsable: recipient !== null });
    const decoy = { to: email, kind: kindOf[purpose] };
    const message = recipient && compose(recipient, secrets);
    const priority =
      recipient && purpose !== "verification"
        ? priorityOf(account ?? { emailVerified: false })
        : "normal";
    await sendMailOrDecoy(inside, { decoy, message, priority });
  });

  function recipientFor(found: Credentials | null): Recipient | null {
    if (found === null) return registers ? { to: email, name: null } : null;
    return !found.disabled && (isEligible?.(found) ?? true) ? recipientOf(found) : null;
  }
}

/**
 * An email's priority in the queue: low for unverified addresses. Not used for kinds of email that are sent only to
 * unverified addresses.
 */
export function priorityOf({ emailVerified }: Pick<Credentials, "emailVerified">): MailPriority {
  return emailVerified ? "normal" : "low";
}

interface MailOrDecoy {
  readonly decoy: Pick<Message, "to" | "kind">;
  readonly message: Message | null;
  readonly priority?: MailPriority;
}

/**
 * Queues an email in the transaction; if `message` is null, queues a decoy at the same cost. Refuses both while the
 * queue is full.
 */
export async function sendMailOrDecoy(
  { db, mailer }: Pick<Services, "mailer"> & { readonly db: Transaction },
  { decoy, message, priority = "normal" }: MailOrDecoy,
): Promise<void> {
  const isStored =
    message === null ? await mailer.sendDecoy(db, decoy) : await mailer.send(db, message, priority);
  if (!isStored) refuse("UNAVAILABLE", { retryAfter: retrySecondsWhenFull });
}

/**
 * Seconds after which clients may retry. Several emails per second are sent, unless the mail server
 * is down.
 */
const retrySecondsWhenFull = 60;
