import type { Answer } from "../../../http/index.js";
import type { Services } from "../../../own-code/index.js";
import {
  type AddedAccount,
  findCredentials,
  insertAccount,
  lockAccount,
  resetProfile,
  setPassword,
} from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import { countMail, uncountMail } from "../../mailed/limit.js";
import { sendMailOrDecoy } from "../../mailed/request.js";
import { hashPassword, verifyPassword } from "../../password/hash.js";
import type { Site } from "../../site.js";
import { registrationMail } from "./mail.js";

/** An account to be registered; the password is in its comparable form. */
export interface Registration extends Omit<AddedAccount, "passwordHash"> {
  readonly password: string;
  /** The site that the email links to. */
  readonly site: Site;
}

/**
 * Registers an address without revealing whether it has an account. The response, the work, and the responses to later
 * guesses at its codes are the same in both cases. Only the owner of the address finds out, by email. One difference
 * remains, as `docs/accounts.md` describes: a sign-in with the password just registered is refused with
 * `EMAIL_NOT_VERIFIED` for a free address, and as a wrong password for a taken one. If an unverified address is
 * registered again with a different password, the account's password and name are removed. Otherwise the reader of the
 * address could verify it for another person, who knows the password. A reset link sets a new password.
 */
export async function registerPendingVerification(
  services: Services,
  { password, site, ...registration }: Registration,
): Promise<Answer> {
  const { db } = services;
  const { id, email, now } = registration;
  const clock = { now: () => now };
  const passwordHash = await hashPassword(password);
  // Both statements are in one commit, so that adding an account takes no longer than finding one.
  const { allowed } = await db.transaction(async (tx) => {
    await insertAccount(tx, { ...registration, passwordHash });
    await recordEvent({ clock, db: tx }, { kind: "account-created", accountId: id, by: id });
    return countMail({ clock, db: tx }, "verification", email);
  });

  // Compared with the password of the row now stored, which may be from this request, an older one or a concurrent
  // registration. If the account must not be changed, it is compared with a dummy hash. Argon2 therefore runs twice in
  // every case.
  const found = await findCredentials(db, { email });
  const isOpen = found !== null && !found.emailVerified && !found.invited;
  const stored = isOpen ? found.passwordHash : null;
  const isSamePassword = await verifyPassword(stored, password);

  // Committed before the email is queued, which may be refused while the queue is full: otherwise an earlier
  // registration would keep its password.
  await db.transaction(async (tx) => {
    const locked = await lockAccount(tx, { email });
    if (locked === null) return;
    const isOwnRegistration = isSamePassword && locked.passwordHash === stored;
    if (isOwnRegistration || locked.emailVerified || locked.invited) return;
    await setPassword(tx, { id: locked.id, passwordHash: null, now });
    await resetProfile(tx, { ...locked, now });
  });

  if (allowed) await storeMail(services, { email, site, now });
  return { status: 200, json: JSON.stringify({ emailVerification: true }) };
}

/** Queues the email, which was counted at `now`; uncounts it if the queue is full. */
async function storeMail(
  services: Services,
  { email, site, now }: Pick<Registration, "email" | "site" | "now">,
): Promise<void> {
  const { db } = services;
  try {
    await db.transaction(async (tx) => {
      const inside = { ...services, db: tx };
      const locked = await lockAccount(tx, { email });
      if (locked === null) return;
      const decoy = { to: email, kind: "verification" } as const;
      const message = await registrationMail(inside, locked, site);
      await sendMailOrDecoy(inside, { decoy, message });
    });
  } catch (error) {
    await uncountMail(db, { purpose: "verification", email, now });
    throw error;
  }
}
