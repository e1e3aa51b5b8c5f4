import type { Answer, Services } from "../../../http/index.js";
import {
  type AddedAccount,
  findCredentials,
  insertAccount,
  lockAccount,
  setPassword,
} from "../../account/store.js";
import { hashPassword, verifyPassword } from "../../password/hash.js";
import { mailForRegistration } from "./mail.js";

/** What somebody registers with; the password in its comparable form. */
export interface Registration extends Omit<AddedAccount, "passwordHash"> {
  readonly password: string;
}

/**
 * Registers an address without telling whether it has an account: answer, work and what can be done
 * afterwards are the same, and only its owner is told, by mail. An address that nobody has proved and that
 * is registered with another password than before has none from then on: whoever reads its mail would
 * otherwise prove it for somebody else. A reset link sets one.
 */
export async function registerUnseen(
  services: Services,
  { password, ...registration }: Registration,
): Promise<Answer> {
  const { db, mailer } = services;
  const { email, now } = registration;
  const account = await findCredentials(db, { email });
  const former = account?.emailVerified === false ? account.passwordHash : null;
  // Argon2 is run once in each case, so that none takes longer.
  const isFormer = former !== null && (await verifyPassword(former, password));
  const passwordHash = former ?? (await hashPassword(password));

  const message = await db.transaction(async (tx) => {
    const isNew = await insertAccount(tx, { ...registration, passwordHash });
    const locked = await lockAccount(tx, { email });
    if (locked === null) return null;
    const isTheirs = former === null ? isNew : isFormer && locked.passwordHash === former;
    if (!isTheirs && !locked.emailVerified) {
      await setPassword(tx, { id: locked.id, passwordHash: null, now });
    }
    return mailForRegistration({ ...services, db: tx }, locked);
  });
  if (message !== null) mailer.send(message);
  return { status: 200, json: JSON.stringify({ emailVerification: true }) };
}
