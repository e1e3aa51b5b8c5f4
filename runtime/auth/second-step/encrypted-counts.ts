import type { Queryable } from "../../db/index.js";
import { acceptedKeys, keyIdOf, type Secrets } from "../../secret/index.js";
import { authenticatorSecret, backupKey } from "./encrypted.js";

/** How many sealed values there are, by the secret that opens them. */
export interface SealedCounts {
  readonly current: number;
  /** Mails that wait to be sent included. */
  readonly previous: number;
  /** Sealed with a secret that is neither. */
  readonly lost: number;
}

/** Set-ups, which last for minutes, are left out. */
const lasting = [authenticatorSecret, backupKey];

/** Mails are not re-encrypted: they are sent, or go when their time is over, and only until then need their secret. */
const waitingMails = `select ${keyIdOf("sealed")} as id from service.mails
  where expires_at > now() and ${keyIdOf("sealed")} = $2 and $2 <> $1`;

/** Counts what is sealed by the names of the keys; opens nothing. */
export async function countSealed(db: Queryable, secrets: Secrets): Promise<SealedCounts> {
  const [current, previous] = acceptedKeys(secrets, "seal");
  const columns = lasting.map(
    ({ table, name }) => `select ${keyIdOf(name)} as id from ${table} where ${name} is not null`,
  );
  const rows = await db.query<SealedCounts>(
    `select
       count(*) filter (where id = $1)::int as current,
       count(*) filter (where id <> $1 and id = $2)::int as previous,
       count(*) filter (where id <> $1 and id is distinct from $2)::int as lost
     from (${[...columns, waitingMails].join(" union all ")}) as sealed`,
    [current?.id, previous?.id ?? null],
  );
  return rows[0] ?? { current: 0, previous: 0, lost: 0 };
}
