import { deletePasskeys, deleteSecondStep } from "../account/factors.js";
import {
  type Credentials,
  defaultName,
  resetProfile,
  setEmailVerified,
  setPassword,
} from "../account/store.js";
import { type NoticeServices, notify } from "../mailed/notice.js";
import { revoke } from "./revoke.js";

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
