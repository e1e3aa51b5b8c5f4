import { createHash, randomBytes } from "node:crypto";
import argon2 from "argon2";
import type pg from "pg";
import { v7 } from "uuid";
import { z } from "zod";

/**
 * A sign-in as it is written by hand: the account, the hash, a session, each session for thirty days. It limits no
 * attempts, keeps no events and ends no devices. The stored hash names its cost, so the work is the same.
 */
export function signingIn(pool: pg.Pool): (body: unknown) => Promise<object | null> {
  return async (body) => {
    const { email, password } = credentials.parse(body);
    const { rows } = await pool.query<Account>({
      name: "account",
      text: `select id, name, email, role, password_hash from service.users
             where email = $1 and disabled_at is null`,
      values: [email],
    });
    const [account] = rows;
    if (account === undefined || !(await argon2.verify(account.password_hash, password))) {
      return null;
    }
    const token = randomBytes(32).toString("base64url");
    await pool.query({
      name: "session",
      text: `insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
             values ($1, $2, $3, '{password}', now(), now() + interval '30 days')`,
      values: [v7(), account.id, createHash("sha256").update(token).digest()],
    });
    const { id, name, role } = account;
    return { token, user: { id, name, email, role } };
  };
}

interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly password_hash: string;
}

const credentials = z.strictObject({ email: z.email(), password: z.string().min(1) });
