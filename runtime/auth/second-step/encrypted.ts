import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { type Opened, open, type Secrets, seal } from "../../secret/index.js";
import type { Services } from "../../services/index.js";

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

/** What opening a secret in a request stands on. */
export type SealServices = Pick<Services, "config" | "log">;

/** Opens what was sealed so; null, and a line in the log, where it does not open. */
export function openOrTell(
  { config, log }: SealServices,
  place: SealedPlace,
  sealed: Buffer,
): Opened | null {
  try {
    return openFor(config, place, sealed);
  } catch (error) {
    const { column, accountId } = place;
    const reason = error instanceof Error ? error.message : "unknown";
    log.error(
      { accountId, column: `${column.table}.${column.name}`, reason },
      "A sealed secret cannot be opened",
    );
    return null;
  }
}

function nameOf({ column: { what }, accountId }: SealedPlace): string {
  return `${what}:${accountId}`;
}

/**
 * What is sealed for an account, opened; null where there is nothing. Sealed anew where that was done with
 * the previous secret. What does not open is refused as a wrong code is, in the transaction: it costs no
 * guess, since no code could be right.
 */
export async function readSealed(
  { db: tx, ...services }: SealServices & { readonly db: Queryable },
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
  const opened = openOrTell(services, place, from);
  if (opened === null) return refuse("INVALID_TWO_FACTOR_CODE");
  const { plain, outdated } = opened;
  if (outdated) {
    const to = sealFor(services.config, place, plain);
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
