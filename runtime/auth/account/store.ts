import type { Database, Queryable } from "../../db/index.js";

/** Who an account is to others; also the sign-in answer's `user`. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
}

/** An account and what decides whether a password opens it. */
export interface Credentials extends Account {
  readonly passwordHash: string | null;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
}

/** An account as its owner sees it; `avatarFile` is the stored file details object. */
export interface Profile extends Account {
  readonly emailVerified: boolean;
  readonly avatar: string | null;
  readonly avatarFile: unknown;
}

/** Adds an account with a verified address; false when the address has one. */
export async function insertVerifiedAccount(
  db: Queryable,
  { id, name, email, role, passwordHash, now }: Account & { passwordHash: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    `insert into service.users
       (id, name, email, role, password_hash, email_verified_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $6)
     on conflict (email) do nothing
     returning id`,
    [id, name, email, role, passwordHash, now],
  );
  return rows.length > 0;
}

/** The account of a normalised address. */
export async function findCredentials(db: Database, email: string): Promise<Credentials | null> {
  const rows = await db.lookUp<Credentials>(
    `select id, name, email, role,
       password_hash as "passwordHash",
       email_verified_at is not null as "emailVerified",
       disabled_at is not null as "disabled"
     from service.users
     where email = $1`,
    [email],
  );
  return rows[0] ?? null;
}

/** Puts a hash of the same password in the place of the one it was checked against. */
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

export async function findProfile(db: Queryable, id: string): Promise<Profile | null> {
  const rows = await db.query<Profile>(
    `select u.id, u.name, u.email, u.role,
       u.email_verified_at is not null as "emailVerified",
       u.avatar,
       f.details as "avatarFile"
     from service.users u
     left join service.uploads f on f.key = u.avatar
     where u.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}
