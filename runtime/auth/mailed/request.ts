import type { Services } from "../../http/index.js";
import type { Message } from "../../mail/index.js";
import { type Credentials, findCredentials } from "../account/store.js";
import { admitMail } from "./limit.js";
import { type Addressee, addresseeOf } from "./message.js";
import type { MailedPurpose } from "./purposes.js";
import { type MailedSecrets, replaceSecrets } from "./replace.js";

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
 * mailed. Refuses the seventh in an hour.
 */
export async function mailSecrets(
  services: Services,
  { purpose, email, suits, compose }: MailRequest,
): Promise<void> {
  await admitMail(services, purpose, email);
  const account = await findCredentials(services.db, { email });
  const reader = account !== null && isReader(account) ? account : null;
  const secrets = await replaceSecrets(services, { purpose, email, opens: reader !== null });
  const message = reader === null ? null : compose(addresseeOf(reader), secrets);
  if (message !== null) services.mailer.send(message);

  function isReader(found: Credentials): boolean {
    return !found.disabled && (suits?.(found) ?? true);
  }
}
