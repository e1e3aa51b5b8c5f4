import { v7 } from "uuid";
import type { Services } from "../../own-code/index.js";
import { findCredentials, insertAccount } from "../account/store.js";
import { prove } from "../session/prove.js";

export interface TestAccount {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

/** Adds a verified account without a password and signs it in, as if it had proved its address. */
export async function addTestAccount(
  { db, clock, config, log }: Services,
  {
    name,
    email,
    role,
  }: { readonly name: string; readonly email: string; readonly role: string | null },
): Promise<TestAccount> {
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  await insertAccount(db, { id, name, email, role, passwordHash: null, emailVerified: true, now });
  const account = await findCredentials(db, { id });
  if (account === null) throw new Error(`${email} already has an account`);
  const device = { name: null, browser: null, ipAddress: null };
  const answer = await db.transaction((tx) =>
    prove({ db: tx, clock, config, log }, account, { proofs: ["email-code"], device }),
  );
  const { token }: { readonly token: string } = JSON.parse(answer?.json ?? "{}");
  return { id, email, token };
}
