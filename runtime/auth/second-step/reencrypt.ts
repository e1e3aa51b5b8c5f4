import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { acceptedKeys, keyIdOf, type Secrets } from "../../secret/index.js";
import {
  decryptFor,
  type EncryptedColumn,
  type EncryptedValue,
  encryptedColumns,
  encryptFor,
  replaceEncrypted,
} from "./encrypted.js";

type ReencryptServices = Pick<Services, "db" | "config">;

/** The outcome for values that were encrypted with the previous secret. */
export interface ReencryptionCounts {
  /** Re-encrypted by this process. */
  readonly reencrypted: number;
  /** Re-encrypted by another process in the meantime, or deleted. */
  readonly skipped: number;
  /** Not decrypted by the secret that the value names; left unchanged. */
  readonly undecryptable: number;
}

/**
 * Re-encrypts values that were encrypted with the previous secret, which can then be removed. Several instances may run
 * this concurrently: each value is replaced once.
 */
export async function reencryptSecrets(services: ReencryptServices): Promise<ReencryptionCounts> {
  const counts = { reencrypted: 0, skipped: 0, undecryptable: 0 };
  const [, previous] = acceptedKeys(services.config, "seal");
  if (previous === undefined) return counts;
  for (const column of encryptedColumns) {
    for await (const row of encryptedWith(services.db, column, previous.id)) {
      counts[await reencrypt(services, column, row)] += 1;
    }
  }
  return counts;
}

/** Re-encrypts while the server runs; the outcome is only logged. */
export async function reencryptInBackground(
  services: ReencryptServices & Pick<Services, "log">,
): Promise<void> {
  const { log } = services;
  try {
    const { reencrypted, undecryptable } = await reencryptSecrets(services);
    log.info({ reencrypted }, "Values encrypted with SERVICE_SECRET_PREVIOUS were re-encrypted");
    if (undecryptable > 0)
      log.warn(
        { undecryptable },
        "Values encrypted with SERVICE_SECRET_PREVIOUS cannot be decrypted with it",
      );
  } catch (err) {
    log.warn({ err }, "Values encrypted with SERVICE_SECRET_PREVIOUS could not be re-encrypted");
  }
}

interface EncryptedRow {
  readonly accountId: string;
  readonly encrypted: Buffer;
}

const batchSize = 500;

/** Sorts before every account's id. */
const nilUuid = "00000000-0000-0000-0000-000000000000";

/** Yields the values of a column that were encrypted with that key. */
async function* encryptedWith(
  db: Queryable,
  { table, key, name }: EncryptedColumn,
  keyId: Buffer,
): AsyncGenerator<EncryptedRow> {
  let after: string | undefined = nilUuid;
  while (after !== undefined) {
    const rows: readonly EncryptedRow[] = await db.query<EncryptedRow>(
      `select ${key} as "accountId", ${name} as encrypted
       from ${table}
       where ${keyIdOf(name)} = $1
         and ${key} > $2
       order by ${key}
       limit $3`,
      [keyId, after, batchSize],
    );
    yield* rows;
    after = rows.at(-1)?.accountId;
  }
}

async function reencrypt(
  { db, config }: ReencryptServices,
  column: EncryptedColumn,
  { accountId, encrypted: from }: EncryptedRow,
): Promise<keyof ReencryptionCounts> {
  const value = { column, accountId };
  const plain = tryDecrypt(config, value, from);
  if (plain === null) return "undecryptable";
  const to = encryptFor(config, value, plain);
  return (await replaceEncrypted(db, value, { from, to })) ? "reencrypted" : "skipped";
}

/** Returns null if decryption fails: one damaged value must not prevent the others from being re-encrypted. */
function tryDecrypt(secrets: Secrets, value: EncryptedValue, encrypted: Buffer): Buffer | null {
  try {
    return decryptFor(secrets, value, encrypted).plain;
  } catch {
    return null;
  }
}
