import type { Answer } from "../../../http/index.js";
import type { Services } from "../../../services/index.js";
import {
  type AddedAccount,
  findCredentials,
  insertAccount,
  lockAccount,
  resetProfile,
  setPassword,
} from "../../account/store.js";
import { countMail, uncountMail } from "../../mailed/limit.js";
import { mailOrPretend } from "../../mailed/request.js";
import { hashPassword, verifyPassword } from "../../password/hash.js";
import { mailForRegistration } from "./mail.js";

/** What somebody registers with; the password in its comparable form. */
export interface Registration extends Omit<AddedAccount, "passwordHash"> {
  readonly password: string;
}

/**
 * Registers an address without telling whether it has an account: answer and work are the same, and so are
 * guesses at its codes afterwards; only its owner is told, by mail. (Who registered a free address and signs
 * in with that password is told `EMAIL_NOT_VERIFIED`; for a taken one it is a wrong password.) An address that
 * nobody has proved and that is registered with another password than before has none from then on, and no
 * name of anybody's choice: whoever reads its mail would otherwise prove it for somebody else. A reset link
 * sets a password.
 */
export async function registerUnseen(
  services: Services,
  { password, ...registration }: Registration,
): Promise<Answer> {
  const { db } = services;
  const { email, now } = registration;
  const passwordHash = await hashPassword(password);
  // Both statements in one commit, so that adding an account takes no longer than finding one.
  const { allowed } = await db.transaction(async (tx) => {
    await insertAccount(tx, { ...registration, passwordHash });
    return countMail({ clock: { now: () => now }, db: tx }, "verification", email);
  });

  // The password is compared with the row that the insert has met, be it its own, an older one, or that of
  // somebody who registers at the same time; and against nothing where the address is verified. So Argon2
  // is run twice in each case, and neither case takes longer.
  const met = await findCredentials(db, { email });
  const stored = met?.emailVerified === false ? met.passwordHash : null;
  const isStored = await verifyPassword(stored, password);

  // Committed before the mail is stored, which is refused while too many wait: whoever had registered the
  // address before must not keep a password because of that.
  await db.transaction(async (tx) => {
    const locked = await lockAccount(tx, { email });
    if (locked === null) return;
    const isTheirs = isStored && locked.passwordHash === stored;
    if (isTheirs || locked.emailVerified) return;
    await setPassword(tx, { id: locked.id, passwordHash: null, now });
    await resetProfile(tx, { ...locked, now });
  });

  if (allowed) await mail(services, email, now);
  return { status: 200, json: JSON.stringify({ emailVerification: true }) };
}

/** Stores the mail that was counted then. Where it is refused, because too many wait, it does not count. */
async function mail(services: Services, email: string, now: Date): Promise<void> {
  const { db } = services;
  try {
    await db.transaction(async (tx) => {
      const inside = { ...services, db: tx };
      const locked = await lockAccount(tx, { email });
      if (locked === null) return;
      const asked = { to: email, kind: "verification" } as const;
      await mailOrPretend(inside, asked, await mailForRegistration(inside, locked));
    });
  } catch (error) {
    await uncountMail(db, { purpose: "verification", email, now });
    throw error;
  }
}
