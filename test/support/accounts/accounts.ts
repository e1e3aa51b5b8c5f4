import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";

/** Somebody who is signed in. */
export interface SignedIn {
  readonly email: string;
  readonly token: string;
}

/** Makes so many accounts with the role `admin`, each with a session, past the API. */
export async function signedInAccounts(db: pg.Client, count: number): Promise<readonly SignedIn[]> {
  const accounts: SignedIn[] = [];
  while (accounts.length < count) accounts.push(await signedInAccount(db));
  return accounts;
}

async function signedInAccount(db: pg.Client): Promise<SignedIn> {
  const email = `${randomBytes(8).toString("hex")}@example.com`;
  const token = randomBytes(32).toString("base64url");
  await db.query(
    `with account as (
       insert into service.users (id, name, email, role, email_verified_at)
       values (gen_random_uuid(), 'Somebody', $1, 'admin', now())
       returning id
     )
     insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
     select gen_random_uuid(), id, $2, '{password}', now(), now() + interval '1 day'
     from account`,
    [email, createHash("sha256").update(token).digest()],
  );
  return { email, token };
}
