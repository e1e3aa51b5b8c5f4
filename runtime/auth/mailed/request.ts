import { z } from "zod";
import type { Transaction } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Message } from "../../mail/index.js";
import type { Services } from "../../services/index.js";
import { address } from "../account/input.js";
import { type Credentials, findCredentials } from "../account/store.js";
import { admitMail } from "./limit.js";
import { type Addressee, addresseeOf } from "./message.js";
import { kindOf, type MailedPurpose } from "./purposes.js";
import { type MailedSecrets, replaceSecrets } from "./secrets.js";

/** Whom a code or a link is asked for. */
export const requestShape = z.strictObject({ email: address });

/** Somebody asks for a code or a link. */
export interface MailRequest {
  readonly purpose: MailedPurpose;
  /** Normalised. */
  readonly email: string;
  /** Which accounts have a use for it; left out: all. */
  suits?(account: Credentials): boolean;
  /** Null where the link would lead nowhere. */
  compose(addressee: Addressee, secrets: MailedSecrets): Message | null;
}

/**
 * Mails a new code or link to an account's address; those before it are dead. For an address without an
 * account, or with one that is disabled or has no use for it, the same is done and stored, but nothing is
 * mailed. Refuses the seventh in an hour, and everybody while too many mails wait.
 */
export async function mailSecrets(
  services: Services,
  { purpose, email, suits, compose }: MailRequest,
): Promise<void> {
  const account = await findCredentials(services.db, { email });
  const reader = account !== null && isReader(account) ? account : null;
  await services.db.transaction(async (tx) => {
    const inside = { ...services, db: tx };
    // In the transaction, so that what is refused because too many mails wait is not counted.
    await admitMail(inside, purpose, email);
    const secrets = await replaceSecrets(inside, { purpose, email, opens: reader !== null });
    const asked = { to: email, kind: kindOf[purpose] };
    await mailOrPretend(inside, asked, reader && compose(addresseeOf(reader), secrets));
  });

  function isReader(found: Credentials): boolean {
    return !found.disabled && (suits?.(found) ?? true);
  }
}

/**
 * Stores a mail in the transaction; where there is none to send, the same work is done. Refuses while too
 * many wait, whether or not there is one.
 */
export async function mailOrPretend(
  { db, mailer }: Pick<Services, "mailer"> & { readonly db: Transaction },
  asked: Pick<Message, "to" | "kind">,
  message: Message | null,
): Promise<void> {
  const isStored =
    message === null ? await mailer.pretend(db, asked) : await mailer.send(db, message);
  if (!isStored) refuse("UNAVAILABLE", { retryAfter: secondsWhenFull });
}

/** Mails leave at some a second, unless the mail server is down. */
const secondsWhenFull = 60;
