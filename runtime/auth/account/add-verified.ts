import { v7 } from "uuid";
import type { Clock } from "../../clock/index.js";
import type { Transaction } from "../../db/index.js";
import { recordEvent } from "../event/record.js";
import { type Credentials, defaultName, insertAccount, lockAccount } from "./store.js";

/**
 * Adds an account without a password for a person who has verified the address, and locks it. Returns null if an
 * account already has the address.
 */
export async function addVerified(
  services: { readonly db: Transaction; readonly clock: Clock },
  {
    email,
    name = defaultName(email),
  }: { readonly email: string; readonly name?: string | undefined },
): Promise<Credentials | null> {
  const { db: tx, clock } = services;
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  const added = { id, name, email, role: null, passwordHash: null, invited: false, now };
  if (!(await insertAccount(tx, { ...added, emailVerified: true }))) return null;
  await recordEvent(services, { kind: "account-created", accountId: id, by: id });
  return lockAccount(tx, { id });
}
