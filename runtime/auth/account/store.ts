import type { Database, Queryable } from "../../db/index.js";

/** The public properties of an account; also the `user` in the response to a sign-in. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
}

/** A factor that an account has set up as its second step; backup codes come with either. */
export type EnrolledFactor = "authenticator" | "email";

/** An account with everything that determines how it may sign in. */
export interface Credentials extends Account {
  readonly passwordHash: string | null;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
  /**
   * Whether an operator created the account, or chose its address, and thereby confirmed its owner. Verifying the
   * address then preserves everything that is set up.
   */
  readonly invited: boolean;
  readonly enrolled: readonly EnrolledFactor[];
  /** Incremented to invalidate every earlier proof, which then no longer opens a session. */
  readonly generation: number;
}

export interface AddedAccount extends Account {
  /** Null for an account that has no password yet. */
  readonly passwordHash: string | null;
  /** Whether an operator chose the name; by default true for an account without a password. */
  readonly invited?: boolean;
  readonly emailVerified: boolean;
  readonly now: Date;
}

/** An account's id, or its normalized address. */
export type AccountKey = { readonly id: string } | { readonly email: string };

/** Adds an account; returns false if an account already has the address. */
export async function insertAccount(
  db: Queryable,
  {
    id,
    name,
    email,
    role,
    passwordHash,
    invited = passwordHash === null,
    emailVerified,
    now,
  }: AddedAccount,
): Promise<boolean> {
  const rows = await db.query(
    `insert into service.users
       (id, name, email, role, password_hash, invited, email_verified_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $8, case when $6 then $7::timestamptz end, $7, $7)
     on conflict (email) do nothing
     returning id`,
    [id, name, email, role, passwordHash, emailVerified, now, invited],
  );
  return rows.length > 0;
}

/** SQL expression for the enrolled factors of an account, from `service.second_steps s`. */
export const enrolledColumn = `
  array_remove(array[
    case when s.authenticator_secret is not null then 'authenticator' end,
    case when s.email then 'email' end
  ], null)`;

/** Returns SQL that finds the credentials of the account with that value in the column. */
export function credentialsBy(column: "id" | "email", parameter = "$1"): string {
  return `
    select u.id, u.name, u.email, u.role,
      u.password_hash as "passwordHash",
      u.email_verified_at is not null as "emailVerified",
      u.disabled_at is not null as "disabled",
      u.invited,
      ${enrolledColumn} as "enrolled",
      u.generation
    from service.users u
    left join service.second_steps s on s.user_id = u.id
    where u.${column} = ${parameter}`;
}

function columnOf(key: AccountKey): readonly ["id" | "email", string] {
  return "id" in key ? ["id", key.id] : ["email", key.email];
}

/** Finds an account; null if there is none. */
export async function findCredentials(db: Database, key: AccountKey): Promise<Credentials | null> {
  const [column, value] = columnOf(key);
  const rows = await db.read<Credentials>({
    text: credentialsBy(column),
    values: [value],
    cost: "key",
  });
  return rows[0] ?? null;
}

/**
 * Finds and locks an account: no other transaction changes it or signs in to it until this one ends. Lock the account
 * before anything else, so that transactions do not deadlock.
 */
export async function lockAccount(tx: Queryable, key: AccountKey): Promise<Credentials | null> {
  const [column, value] = columnOf(key);
  const locked = await tx.query(
    `select id from service.users where ${column} = $1 for no key update`,
    [value],
  );
  // A separate statement, because it must see what was committed while the first one waited. It runs even if there is
  // no account, so that the response time does not reveal that. An account created in between is not locked.
  const rows = await tx.query<Credentials>(credentialsBy(column), [value]);
  return locked.length === 0 ? null : (rows[0] ?? null);
}

/** Replaces a password's hash with a new hash of the same password, unless the password has changed in the meantime. */
export async function renewPasswordHash(
  db: Queryable,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
): Promise<void> {
  await db.query(
    `update service.users
     set password_hash = $3
     where id = $1
       and password_hash = $2`,
    [id, from, to],
  );
}

export async function setPassword(
  tx: Queryable,
  { id, passwordHash, now }: { id: string; passwordHash: string | null; now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set password_hash = $2, updated_at = $3
     where id = $1`,
    [id, passwordHash, now],
  );
}

/** Sets or removes the role; returns false if it is unchanged. */
export async function setRole(
  tx: Queryable,
  { id, role, now }: Pick<Account, "id" | "role"> & { readonly now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update service.users
     set role = $2, updated_at = $3
     where id = $1
       and role is distinct from $2
     returning id`,
    [id, role, now],
  );
  return rows.length > 0;
}

/** The default name of an account: the part of the address before the `@`. */
export function defaultName(email: string): string {
  return email.slice(0, email.lastIndexOf("@"));
}

/**
 * Removes the name and picture set before the address was verified. Another person may have chosen them, and emails use
 * the name once the address is verified. A name chosen by an operator stays.
 */
export async function resetProfile(
  tx: Queryable,
  {
    id,
    email,
    invited,
    now,
  }: Pick<Credentials, "id" | "email" | "invited"> & { readonly now: Date },
): Promise<void> {
  if (invited) return;
  await tx.query(
    `update service.users
     set name = $2, avatar = null, updated_at = $3
     where id = $1`,
    [id, defaultName(email), now],
  );
}

/**
 * Changes the address of the account; fails with a unique violation if it is taken. Unless the address is verified, an
 * operator has chosen it.
 */
export async function setEmail(
  tx: Queryable,
  {
    id,
    email,
    isVerified,
    now,
  }: Pick<Account, "id" | "email"> & { readonly isVerified: boolean; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set email = $2,
         email_verified_at = case when $3 then $4::timestamptz end,
         invited = invited or not $3,
         updated_at = $4
     where id = $1`,
    [id, email, isVerified, now],
  );
}

/** Marks the account's address as verified. */
export async function setEmailVerified(
  tx: Queryable,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set email_verified_at = $2, updated_at = $2
     where id = $1
       and email_verified_at is null`,
    [id, now],
  );
}

/** Invalidates every earlier proof; returns the new generation. */
export async function nextGeneration(tx: Queryable, id: string): Promise<number> {
  const rows = await tx.query<{ generation: number }>(
    `update service.users
     set generation = generation + 1
     where id = $1
     returning generation`,
    [id],
  );
  return rows[0]?.generation ?? 0;
}
