import type { Queryable } from "../../db/index.js";
import { reasonOf, refuse } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import { type Decrypted, decrypt, encrypt, type Secrets } from "../../secret/index.js";

/** A column with one encrypted value for each account, or webhook. */
export interface EncryptedColumn {
  readonly table: string;
  /** The column that contains the id of the account or webhook. */
  readonly key: "user_id" | "id";
  readonly name: string;
  /** The purpose of the value. Together with the account's id, it is the context of the encryption. */
  readonly purpose: string;
}

export interface EncryptedValue {
  readonly column: EncryptedColumn;
  /** The id of the account, or of the webhook. */
  readonly accountId: string;
}

/** The secret of an enabled authenticator. */
export const authenticatorSecret: EncryptedColumn = {
  table: "service.second_steps",
  key: "user_id",
  name: "authenticator_secret",
  purpose: "authenticator",
};

export const backupKey: EncryptedColumn = {
  table: "service.second_steps",
  key: "user_id",
  name: "backup_key",
  purpose: "backup-codes",
};

/** The secret of an authenticator before its first correct code. */
export const pendingSecret: EncryptedColumn = {
  table: "service.second_step_set_ups",
  key: "user_id",
  name: "authenticator_secret",
  purpose: "authenticator",
};

export const webhookSecret: EncryptedColumn = {
  table: "service.webhooks",
  key: "id",
  name: "secret",
  purpose: "webhook",
};

export const formerWebhookSecret: EncryptedColumn = { ...webhookSecret, name: "former_secret" };

export const encryptedColumns = [
  authenticatorSecret,
  backupKey,
  pendingSecret,
  webhookSecret,
  formerWebhookSecret,
];

/** Encrypts a value for an account and a purpose; it cannot be decrypted for any other account or purpose. */
export function encryptFor(secrets: Secrets, value: EncryptedValue, plain: Buffer): Buffer {
  return encrypt(secrets, plain, contextOf(value));
}

/**
 * Decrypts a value from `encryptFor`. Throws if no accepted secret decrypts it, or if it belongs to another account.
 */
export function decryptFor(secrets: Secrets, value: EncryptedValue, encrypted: Buffer): Decrypted {
  return decrypt(secrets, encrypted, contextOf(value));
}

export type DecryptServices = Pick<Services, "config" | "log">;

/** Decrypts a value from `encryptFor`; logs a failure and returns null. */
export function decryptOrLog(
  { config, log }: DecryptServices,
  value: EncryptedValue,
  encrypted: Buffer,
): Decrypted | null {
  try {
    return decryptFor(config, value, encrypted);
  } catch (error) {
    const { column, accountId } = value;
    log.error(
      { accountId, column: `${column.table}.${column.name}`, reason: reasonOf(error) },
      "An encrypted secret cannot be decrypted",
    );
    return null;
  }
}

function contextOf({ column: { purpose: what }, accountId }: EncryptedValue): string {
  return `${what}:${accountId}`;
}

/**
 * Reads and decrypts an account's value; null if there is none. Re-encrypts a value that was encrypted with the
 * previous secret. A value that cannot be decrypted is refused like a wrong code. The refusal rolls back the
 * transaction, so it costs no guess: no code could be correct.
 */
export async function readEncrypted(
  { db: tx, ...services }: DecryptServices & { readonly db: Queryable },
  value: EncryptedValue,
): Promise<Buffer | null> {
  const { column, accountId } = value;
  const rows = await tx.query<{ encrypted: Buffer | null }>(
    `select ${column.name} as encrypted
     from ${column.table}
     where ${column.key} = $1`,
    [accountId],
  );
  const from = rows[0]?.encrypted ?? null;
  if (from === null) return null;
  const decrypted = decryptOrLog(services, value, from);
  if (decrypted === null) return refuse("INVALID_TWO_FACTOR_CODE");
  const { plain, outdated } = decrypted;
  if (outdated) {
    const to = encryptFor(services.config, value, plain);
    await replaceEncrypted(tx, value, { from, to });
  }
  return plain;
}

/** Replaces an encrypted value with its re-encryption. Returns false if it has changed since it was read. */
export async function replaceEncrypted(
  db: Queryable,
  { column: { table, key, name }, accountId }: EncryptedValue,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `update ${table}
     set ${name} = $3
     where ${key} = $1
       and ${name} = $2
     returning ${key}`,
    [accountId, from, to],
  );
  return rows.length > 0;
}
