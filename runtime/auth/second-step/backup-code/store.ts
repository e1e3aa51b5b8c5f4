import type { Queryable } from "../../../db/index.js";
import type { SessionServices } from "../../session/prove.js";
import { backupKey, readEncrypted } from "../encrypted.js";
import { backupDigest } from "./rules.js";

export async function hasBackupCodes(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    "select user_id from service.backup_codes where user_id = $1 limit 1",
    [accountId],
  );
  return rows.length > 0;
}

/** Replaces all remaining codes; `key` is encrypted. */
export async function replaceBackupCodes(
  tx: Queryable,
  accountId: string,
  { key, digests }: { readonly key: Buffer; readonly digests: readonly Buffer[] },
): Promise<void> {
  await tx.query("delete from service.backup_codes where user_id = $1", [accountId]);
  await tx.query(
    `update service.second_steps
     set backup_key = $2
     where user_id = $1`,
    [accountId, key],
  );
  await tx.query(
    `insert into service.backup_codes (user_id, digest)
     select $1, unnest($2::bytea[])`,
    [accountId, digests],
  );
}

/** Deletes a code. Returns false if it is not one of the account's, or was already used. */
export async function deleteBackupCode(
  tx: Queryable,
  accountId: string,
  digest: Buffer,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from service.backup_codes
     where user_id = $1
       and digest = $2
     returning user_id`,
    [accountId, digest],
  );
  return rows.length > 0;
}

/** Spends a backup code. Returns false if it is wrong or was already used. */
export async function spendBackupCode(
  services: SessionServices,
  accountId: string,
  code: string,
): Promise<boolean> {
  const key = await readEncrypted(services, { column: backupKey, accountId });
  return key !== null && (await deleteBackupCode(services.db, accountId, backupDigest(key, code)));
}
