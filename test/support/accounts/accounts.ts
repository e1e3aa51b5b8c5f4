import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { v7 } from "uuid";
import { insertAccount } from "../../../runtime/auth/account/store.js";
import { recordEvent } from "../../../runtime/auth/event/record.js";
import { hashPassword } from "../../../runtime/auth/password/hash.js";
import { systemClock } from "../../../runtime/clock/index.js";
import type { Database, Queryable } from "../../../runtime/db/index.js";

/** A signed-in account. */
export interface SignedIn {
  readonly email: string;
  readonly token: string;
}

/** Creates this number of accounts with the role `admin` in SQL, each with a session. */
export async function signedInAccounts(db: pg.Client, count: number): Promise<readonly SignedIn[]> {
  const accounts: SignedIn[] = [];
  while (accounts.length < count) accounts.push(await signedInAccount(db));
  return accounts;
}

async function signedInAccount(db: pg.Client): Promise<SignedIn> {
  const email = `${randomBytes(8).toString("hex")}@example.com`;
  const { rows } = await db.query<{ id: string }>(
    `insert into service.users (id, name, email, role, email_verified_at)
     values (gen_random_uuid(), 'Somebody', $1, 'admin', now())
     returning id`,
    [email],
  );
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await db.query(text, [...values])).rows as Row[];
  return { email, token: await newSession({ query }, rows[0]?.id ?? "") };
}

/** Creates a session of an account for a day in SQL, without events, and returns its token. */
export async function newSession(db: Pick<Queryable, "query">, accountId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.query(
    `insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
     values (gen_random_uuid(), $1, $2, '{password}', now(), now() + interval '1 day')`,
    [accountId, createHash("sha256").update(token).digest()],
  );
  return token;
}

/** An account to add. */
interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly role: string | null;
  readonly password: string;
}

/** Hashes of the tests' passwords, computed once a process because hashing is slow on purpose. */
const hashes = new Map<string, Promise<string>>();

/** Adds an account as `createAccount` does, and returns its id. */
export async function addAccount(
  db: Database,
  { email, name, role, password }: NewAccount,
): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  const passwordHash = await hash;
  const now = systemClock.now();
  const id = v7({ msecs: now.getTime() });
  await db.transaction(async (tx) => {
    const added = { id, name, email, role, passwordHash, emailVerified: true, now };
    if (!(await insertAccount(tx, added))) throw new Error(`${email} has an account`);
    const parts = { db: tx, clock: systemClock };
    await recordEvent(parts, { kind: "account-created", accountId: id, by: null });
  });
  return id;
}
