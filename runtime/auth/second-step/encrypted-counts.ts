import type { Queryable } from "../../db/index.js";
import { acceptedKeys, keyIdOf, type Secrets } from "../../secret/index.js";
import { authenticatorSecret, backupKey, formerWebhookSecret, webhookSecret } from "./encrypted.js";

/** The numbers of encrypted values, by the secret that decrypts them. */
export interface EncryptedCounts {
  readonly current: number;
  /** Includes queued emails. */
  readonly previous: number;
  /** Encrypted with another secret. */
  readonly undecryptable: number;
}

/** Pending setups are not counted: they expire within minutes. */
const permanentColumns = [authenticatorSecret, backupKey, webhookSecret, formerWebhookSecret];

/** Emails are not re-encrypted: they need their secret only until they are sent or expire. */
const queuedMails = `select ${keyIdOf("sealed")} as id from service.mails
  where expires_at > now() and ${keyIdOf("sealed")} = $2 and $2 <> $1`;

/** Counts encrypted values by the ids of their keys, without decrypting any. */
export async function countEncrypted(db: Queryable, secrets: Secrets): Promise<EncryptedCounts> {
  const [current, previous] = acceptedKeys(secrets, "seal");
  const columns = permanentColumns.map(
    ({ table, name }) => `select ${keyIdOf(name)} as id from ${table} where ${name} is not null`,
  );
  const rows = await db.query<EncryptedCounts>(
    `select
       count(*) filter (where id = $1)::int as current,
       count(*) filter (where id <> $1 and id = $2)::int as previous,
       count(*) filter (where id <> $1 and id is distinct from $2)::int as undecryptable
     from (${[...columns, queuedMails].join(" union all ")}) as encrypted`,
    [current?.id, previous?.id ?? null],
  );
  return rows[0] ?? { current: 0, previous: 0, undecryptable: 0 };
}
