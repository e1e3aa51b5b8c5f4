import type { Database, Queryable } from "../../../db/index.js";
import type { Account } from "../../account/store.js";
import { pruneExpired } from "../../pruning.js";
import type { VerifiedCredential } from "./ceremony.js";
import type { AuthenticatorState, DeviceType } from "./rules.js";

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly deviceType: DeviceType;
  readonly backedUp: boolean;
}

/** The public key and counter that an assertion is checked against. */
export interface StoredPublicKey {
  readonly id: string;
  readonly publicKey: Buffer;
  /** The host that the passkey belongs to; null if it was added before hosts were stored. */
  readonly rpId: string | null;
  readonly counter: number;
  readonly deviceType: DeviceType;
}

/** A credential as an authenticator recognizes it. */
export interface KnownCredential {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

/** A challenge of one ceremony; `accountId` is null for signing in. */
interface Challenge {
  readonly hash: Buffer;
  readonly accountId: string | null;
  readonly now: Date;
}

export interface PasskeyId {
  readonly accountId: string;
  readonly id: string;
}

const passkeyColumns = `
  id, name, created_at as "createdAt", last_used_at as "lastUsedAt",
  device_type as "deviceType", backed_up as "backedUp"`;

/** Adds a challenge, and occasionally deletes expired ones. */
export async function insertChallenge(
  db: Queryable,
  {
    hash,
    accountId,
    site,
    expiresAt,
  }: Omit<Challenge, "now"> & { readonly site: string; readonly expiresAt: Date },
): Promise<void> {
  await db.query(
    `insert into service.passkey_challenges (challenge_hash, user_id, site, expires_at)
     values ($1, $2, $3, $4)`,
    [hash, accountId, site, expiresAt],
  );
  await pruneExpired(db, "service.passkey_challenges");
}

/** Spends a challenge, and returns the name of its site; null if it is spent, expired, unknown or another account's. */
export async function spendChallenge(
  tx: Queryable,
  { hash, accountId, now }: Challenge,
): Promise<string | null> {
  const rows = await tx.query<{ site: string }>(
    `delete from service.passkey_challenges
     where challenge_hash = $1
       and user_id is not distinct from $2
       and expires_at > $3
     returning site`,
    [hash, accountId, now],
  );
  return rows[0]?.site ?? null;
}

export async function findOwner(
  db: Database,
  credentialId: Buffer,
): Promise<Pick<Account, "id" | "email"> | null> {
  const rows = await db.read<Pick<Account, "id" | "email">>({
    text: `select u.id, u.email
     from service.passkeys p
     join service.users u on u.id = p.user_id
     where p.credential_id = $1`,
    values: [credentialId],
    cost: "key",
  });
  return rows[0] ?? null;
}

/** The public key of an account's credential. The account must be locked. */
export async function findPublicKey(
  tx: Queryable,
  { accountId, credentialId }: { readonly accountId: string; readonly credentialId: Buffer },
): Promise<StoredPublicKey | null> {
  const rows = await tx.query<StoredPublicKey>(
    `select id, public_key as "publicKey", rp_id as "rpId", counter::float8 as counter, device_type as "deviceType"
     from service.passkeys
     where credential_id = $1
       and user_id = $2`,
    [credentialId, accountId],
  );
  return rows[0] ?? null;
}

/** Records a sign-in; false if another one has changed the counter since the key was read. */
export async function recordUse(
  tx: Queryable,
  { id, counter }: StoredPublicKey,
  { now, ...shown }: AuthenticatorState & { readonly now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update service.passkeys
     set counter = greatest(counter, $3),
         device_type = $4,
         backed_up = $5,
         last_used_at = $6
     where id = $1
       and counter = $2
     returning id`,
    [id, counter, shown.counter, shown.deviceType, shown.backedUp, now],
  );
  return rows.length > 0;
}

/** Lists an account's passkeys, the oldest first. */
export async function listPasskeys(db: Queryable, accountId: string): Promise<readonly Passkey[]> {
  return db.query<Passkey>(
    `select ${passkeyColumns}
     from service.passkeys
     where user_id = $1
     order by created_at, id`,
    [accountId],
  );
}

/** Lists the credentials of an account's passkeys, the oldest first. */
export async function listCredentials(
  db: Queryable,
  accountId: string,
): Promise<readonly KnownCredential[]> {
  return db.query<KnownCredential>(
    `select credential_id as "credentialId", transports
     from service.passkeys
     where user_id = $1
     order by created_at, id`,
    [accountId],
  );
}

export async function countPasskeys(db: Queryable, accountId: string): Promise<number> {
  const rows = await db.query<{ number: number }>(
    "select count(*)::int as number from service.passkeys where user_id = $1",
    [accountId],
  );
  return rows[0]?.number ?? 0;
}

/** Adds a passkey; null if its credential already belongs to an account. */
export async function insertPasskey(
  tx: Queryable,
  {
    id,
    accountId,
    name,
    rpId,
    credential,
    now,
  }: PasskeyId & {
    readonly name: string;
    readonly rpId: string;
    readonly credential: VerifiedCredential;
    readonly now: Date;
  },
): Promise<Passkey | null> {
  const rows = await tx.query<Passkey>(
    `insert into service.passkeys
       (id, user_id, credential_id, public_key, counter, device_type, backed_up, transports, name, rp_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (credential_id) do nothing
     returning ${passkeyColumns}`,
    [
      id,
      accountId,
      credential.credentialId,
      credential.publicKey,
      credential.counter,
      credential.deviceType,
      credential.backedUp,
      credential.transports,
      name,
      rpId,
      now,
    ],
  );
  return rows[0] ?? null;
}

export async function hasPasskey(db: Queryable, { accountId, id }: PasskeyId): Promise<boolean> {
  const rows = await db.query("select id from service.passkeys where id = $1 and user_id = $2", [
    id,
    accountId,
  ]);
  return rows.length > 0;
}

/** Renames a passkey; null if the account does not have it. */
export async function renamePasskey(
  db: Queryable,
  { accountId, id, name }: PasskeyId & { readonly name: string },
): Promise<Passkey | null> {
  const rows = await db.query<Passkey>(
    `update service.passkeys
     set name = $3
     where id = $1
       and user_id = $2
     returning ${passkeyColumns}`,
    [id, accountId, name],
  );
  return rows[0] ?? null;
}

export async function deletePasskey(tx: Queryable, { accountId, id }: PasskeyId): Promise<void> {
  await tx.query("delete from service.passkeys where id = $1 and user_id = $2", [id, accountId]);
}
