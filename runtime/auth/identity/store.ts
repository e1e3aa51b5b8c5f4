import type { Queryable } from "../../db/index.js";

/** A person's identity at a provider: the pair of provider and subject never changes and is never reassigned. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

export interface Identity {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  readonly email: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface NewIdentity {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  readonly profile: Subject & Pick<Identity, "email">;
  /** Whether the identity is being used for a sign-in. */
  readonly isUsed: boolean;
  readonly now: Date;
}

const identityColumns = `
  id, user_id as "accountId", provider, email, created_at as "createdAt",
  last_used_at as "lastUsedAt"`;

/** Finds an identity by its subject at the provider; null if it is unknown. */
export async function findIdentity(
  db: Queryable,
  { issuer, subject }: Subject,
): Promise<Identity | null> {
  const rows = await db.query<Identity>(
    `select ${identityColumns}
     from service.identities
     where issuer = $1
       and subject = $2`,
    [issuer, subject],
  );
  return rows[0] ?? null;
}

/** Lists an account's identities, the oldest first. */
export async function listIdentities(
  db: Queryable,
  accountId: string,
): Promise<readonly Identity[]> {
  return db.query<Identity>(
    `select ${identityColumns}
     from service.identities
     where user_id = $1
     order by created_at, id`,
    [accountId],
  );
}

/** Whether an account has an identity of a provider. */
export async function hasIdentityOf(
  tx: Queryable,
  { accountId, provider }: Pick<Identity, "accountId" | "provider">,
): Promise<boolean> {
  const rows = await tx.query(
    `select id
     from service.identities
     where user_id = $1
       and provider = $2`,
    [accountId, provider],
  );
  return rows.length > 0;
}

/** Adds an identity; null if an account already has it, or if the account has another identity of the provider. */
export async function insertIdentity(
  tx: Queryable,
  { id, accountId, provider, profile, isUsed, now }: NewIdentity,
): Promise<Identity | null> {
  const { issuer, subject, email } = profile;
  const rows = await tx.query<Identity>(
    `insert into service.identities
       (id, user_id, provider, issuer, subject, email, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $6, $7, case when $8 then $7::timestamptz end)
     on conflict do nothing
     returning ${identityColumns}`,
    [id, accountId, provider, issuer, subject, email, now, isUsed],
  );
  return rows[0] ?? null;
}

/**
 * Records a sign-in, and the email address if the provider returned one. Returns false if the account does not have
 * that identity.
 */
export async function recordUse(
  tx: Queryable,
  {
    accountId,
    profile: { issuer, subject, email },
    now,
  }: Pick<NewIdentity, "accountId" | "profile" | "now">,
): Promise<boolean> {
  const rows = await tx.query(
    `update service.identities
     set email = coalesce($4, email), last_used_at = $5
     where issuer = $1
       and subject = $2
       and user_id = $3
     returning id`,
    [issuer, subject, accountId, email, now],
  );
  return rows.length > 0;
}

/** Deletes an account's identity; false if the account does not have that identity. */
export async function deleteIdentity(
  tx: Queryable,
  { id, accountId }: Pick<Identity, "id" | "accountId">,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from service.identities
     where id = $1
       and user_id = $2
     returning id`,
    [id, accountId],
  );
  return rows.length > 0;
}
