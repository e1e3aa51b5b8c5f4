import type { Answer } from "../../http/index.js";
import { deletePasskeys, deleteSecondStep } from "../account/factors.js";
import {
  type Credentials,
  defaultName,
  resetProfile,
  setEmailVerified,
  setPassword,
} from "../account/store.js";
import { type NoticeServices, notify } from "../mailed/notice.js";
import { assure } from "./assurance.js";
import type { Device } from "./device.js";
import { type DoorServices, prove } from "./prove.js";
import { revoke } from "./revoke.js";

/**
 * Signs in somebody who has shown that they read the account's mail; the account must be locked. An
 * address that nobody had proved before is theirs from now on, and what was set up before goes. Where
 * an authenticator is asked for, nothing changes until it is passed.
 */
export async function signInByMail(
  services: DoorServices & NoticeServices,
  account: Credentials,
  { proof, device }: { readonly proof: "magic-link" | "email-code"; readonly device: Device },
): Promise<Answer | null> {
  if (account.disabled) return null;
  const { enrolled, emailVerified } = account;
  const settings = services.config.auth.twoFactor;
  const { kind } = assure({ proofs: [proof], enrolled, settings });
  const adopts = kind === "signed-in" && !emailVerified;
  const proved = adopts ? await adopt(services, account) : account;
  return prove(services, proved, { proofs: [proof], device });
}

/**
 * Hands an account whose address nobody had proved to the reader of that address: whoever made it may
 * have been somebody else, so everything goes that would still let them in. The account must be locked.
 */
export async function adopt(services: NoticeServices, account: Credentials): Promise<Credentials> {
  const { db: tx, clock } = services;
  const now = clock.now();
  const { id, email } = account;
  await setPassword(tx, { id, passwordHash: null, now });
  await resetProfile(tx, { id, email, now });
  await deletePasskeys(tx, id);
  await deleteSecondStep(tx, id);
  await setEmailVerified(tx, { id, now });
  const generation = await revoke(tx, account, "none");
  const name = defaultName(email);
  await notify(services, account, "address-adopted");
  return { ...account, name, passwordHash: null, emailVerified: true, enrolled: [], generation };
}
