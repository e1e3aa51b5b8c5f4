import type { Answer } from "../../../http/index.js";
import { deleteIdentities, deletePasskeys, deleteSecondStep } from "../../account/factors.js";
import {
  type Credentials,
  defaultName,
  resetProfile,
  setEmailVerified,
  setPassword,
} from "../../account/store.js";
import { announce, type NoticeServices } from "../../mailed/notice.js";
import { assess } from "../assurance.js";
import type { Device } from "../device.js";
import { prove, type SessionServices } from "../prove.js";
import { revoke } from "../revoke.js";

/**
 * Signs in a person who has proved access to the account's mailbox; the account must be locked. If the address was
 * unverified, they adopt the account (see `adopt`). If an authenticator is required as well, nothing changes until its
 * code is verified.
 */
export async function signInByMail(
  services: SessionServices & NoticeServices,
  account: Credentials,
  { proof, device }: { readonly proof: "magic-link" | "email-code"; readonly device: Device },
): Promise<Answer | null> {
  if (account.disabled) return null;
  const { enrolled, emailVerified } = account;
  const settings = services.config.auth.twoFactor;
  const { kind } = assess({ proofs: [proof], enrolled, settings });
  const adopts = kind === "signed-in" && !emailVerified;
  const adopted = adopts ? await verified(services, account) : account;
  return prove(services, adopted, { proofs: [proof], device });
}

/**
 * Verifies the address of an account for a person who has proved it. An account that an operator vouches for keeps
 * everything that is set up; any other account is adopted. The account must be locked.
 */
export async function verified(
  services: NoticeServices,
  account: Credentials,
): Promise<Credentials> {
  if (!account.invited) return adopt(services, account);
  const { db: tx, clock } = services;
  await setEmailVerified(tx, { id: account.id, now: clock.now() });
  return { ...account, emailVerified: true, generation: await revoke(tx, account, "all") };
}

/**
 * Adopts an account: hands an account with an unverified address to the reader of that address. Another person may have
 * created it, so everything that would still let them in is deleted. The account must be locked.
 */
export async function adopt(services: NoticeServices, account: Credentials): Promise<Credentials> {
  const { db: tx, clock } = services;
  const now = clock.now();
  const { id, email } = account;
  await setPassword(tx, { id, passwordHash: null, now });
  await resetProfile(tx, { ...account, now });
  await deletePasskeys(tx, id);
  await deleteIdentities(tx, id);
  await deleteSecondStep(tx, id);
  await setEmailVerified(tx, { id, now });
  const generation = await revoke(tx, account, "none");
  const name = defaultName(email);
  await announce(services, account, { kind: "address-adopted", by: id });
  return { ...account, name, passwordHash: null, emailVerified: true, enrolled: [], generation };
}
