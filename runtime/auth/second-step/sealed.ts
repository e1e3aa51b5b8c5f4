import type { Queryable } from "../../db/index.js";
import type { Secrets } from "../secret/keys.js";
import { open, seal } from "../secret/seal.js";

/** A column of which each account has one value, sealed for that account. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** What is sealed, with the account the place that it is sealed for. */
  readonly what: string;
}

/** Of an authenticator that is on. */
export const authenticatorSecret: SealedColumn = {
  table: "service.second_steps",
  column: "authenticator_secret",
  what: "authenticator",
};

/** The key of the backup codes' digests. */
export const backupKey: SealedColumn = {
  table: "service.second_steps",
  column: "backup_key",
  what: "backup-codes",
};

/** Of an authenticator that waits for its first right code. */
export const waitingSecret: SealedColumn = {
  table: "service.second_step_set_ups",
  column: "authenticator_secret",
  what: "authenticator",
};

/** All columns that hold something sealed. */
export const sealedColumns = [authenticatorSecret, backupKey, waitingSecret];

/** Seals something for one column of one account; anywhere else it does not open. */
export function sealFor(
  secrets: Secrets,
  { what }: SealedColumn,
  accountId: string,
  plain: Buffer,
): Buffer {
  return seal(secrets, plain, `${what}:${accountId}`);
}

/** Opens what was sealed so. Throws where neither secret opens it, or where it was sealed for another account. */
export function openFor(
  secrets: Secrets,
  { what }: SealedColumn,
  accountId: string,
  sealed: Buffer,
): ReturnType<typeof open> {
  return open(secrets, sealed, `${what}:${accountId}`);
}

/**
 * What is sealed for an account, opened; null where there is nothing. Sealed anew where that was done with
 * the previous secret.
 */
export async function readSealed(
  tx: Queryable,
  secrets: Secrets,
  place: SealedColumn,
  accountId: string,
): Promise<Buffer | null> {
  const { table, column } = place;
  const rows = await tx.query<{ sealed: Buffer | null }>(
    `select ${column} as sealed
     from ${table}
     where user_id = $1`,
    [accountId],
  );
  const from = rows[0]?.sealed ?? null;
  if (from === null) return null;
  const { plain, outdated } = openFor(secrets, place, accountId, from);
  if (outdated) {
    const to = sealFor(secrets, place, accountId, plain);
    await replaceSealed(tx, place, { accountId, from, to });
  }
  return plain;
}

/** Puts the same, sealed anew, in its place; false where something else is there meanwhile. */
export async function replaceSealed(
  db: Queryable,
  { table, column }: SealedColumn,
  { accountId, from, to }: { readonly accountId: string; from: Buffer; to: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `update ${table}
     set ${column} = $3
     where user_id = $1
       and ${column} = $2
     returning user_id`,
    [accountId, from, to],
  );
  return rows.length > 0;
}
