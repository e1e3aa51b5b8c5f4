import type { Queryable } from "../../db/index.js";
import type { Secrets } from "../secret/keys.js";
import { type Opened, open, seal } from "../secret/seal.js";

/** A column of which each account has one value, sealed for that account. */
export interface SealedColumn {
  readonly table: string;
  readonly name: string;
  /** What is sealed, with the account the place that it is sealed for. */
  readonly what: string;
}

/** One account's value in such a column. */
export interface SealedPlace {
  readonly column: SealedColumn;
  readonly accountId: string;
}

/** Of an authenticator that is on. */
export const authenticatorSecret: SealedColumn = {
  table: "service.second_steps",
  name: "authenticator_secret",
  what: "authenticator",
};

/** The key of the backup codes' digests. */
export const backupKey: SealedColumn = {
  table: "service.second_steps",
  name: "backup_key",
  what: "backup-codes",
};

/** Of an authenticator that waits for its first right code. */
export const waitingSecret: SealedColumn = {
  table: "service.second_step_set_ups",
  name: "authenticator_secret",
  what: "authenticator",
};

/** All columns that hold something sealed. */
export const sealedColumns = [authenticatorSecret, backupKey, waitingSecret];

/** Seals something for an account; as another's, or as something else, it does not open. */
export function sealFor(secrets: Secrets, place: SealedPlace, plain: Buffer): Buffer {
  return seal(secrets, plain, nameOf(place));
}

/** Opens what was sealed so. Throws where neither secret opens it, or where it was sealed for another account. */
export function openFor(secrets: Secrets, place: SealedPlace, sealed: Buffer): Opened {
  return open(secrets, sealed, nameOf(place));
}

function nameOf({ column: { what }, accountId }: SealedPlace): string {
  return `${what}:${accountId}`;
}

/**
 * What is sealed for an account, opened; null where there is nothing. Sealed anew where that was done with
 * the previous secret.
 */
export async function readSealed(
  tx: Queryable,
  secrets: Secrets,
  place: SealedPlace,
): Promise<Buffer | null> {
  const { column, accountId } = place;
  const rows = await tx.query<{ sealed: Buffer | null }>(
    `select ${column.name} as sealed
     from ${column.table}
     where user_id = $1`,
    [accountId],
  );
  const from = rows[0]?.sealed ?? null;
  if (from === null) return null;
  const { plain, outdated } = openFor(secrets, place, from);
  if (outdated) {
    const to = sealFor(secrets, place, plain);
    await replaceSealed(tx, place, { from, to });
  }
  return plain;
}

/** Puts the same, sealed anew, in its place; false where something else is there meanwhile. */
export async function replaceSealed(
  db: Queryable,
  { column: { table, name }, accountId }: SealedPlace,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `update ${table}
     set ${name} = $3
     where user_id = $1
       and ${name} = $2
     returning user_id`,
    [accountId, from, to],
  );
  return rows.length > 0;
}
