import { v7 } from "uuid";
import type { Queryable } from "../../db/index.js";
import { encrypt, type Secrets } from "../../secret/index.js";
import { appKind, type StoredAppMessage } from "../letter/app-message.js";
import { mailContext } from "./outbox.js";

/** Minutes during which an email of app code is retried: a mail server may be down over a weekend. */
const appMinutes = 3 * 24 * 60;

/** Limits of waiting emails of app code, each of up to 256 kB: their number and their total bytes. */
const maxWaiting = 10_000;
const maxWaitingBytes = 256 * 1024 * 1024;

interface Storing {
  readonly secrets: Secrets;
  /** Minutes during which the email is retried. */
  readonly minutes?: number;
  /** Seconds before the first attempt. */
  readonly delaySeconds?: number;
  readonly maxBytes?: number;
}

/** Stores an email of app code, encrypted. Returns false and stores nothing if the queue is full. */
export async function storeAppMessage(
  tx: Queryable,
  mail: StoredAppMessage,
  { secrets, minutes = appMinutes, delaySeconds = 0, maxBytes = maxWaitingBytes }: Storing,
): Promise<boolean> {
  const id = v7();
  const [email = ""] = mail.to;
  const encrypted = encrypt(secrets, Buffer.from(JSON.stringify(mail)), mailContext(id));
  const rows = await tx.query(
    `with room as (
       select
       from (
         select octet_length(sealed) as bytes
         from service.mails
         where queue = '${appKind}'
         limit $5
       ) as waiting
       having count(*) < $5 and coalesce(sum(bytes), 0) + octet_length($3::bytea) <= $6
     )
     insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
     select $1, $2, '${appKind}', '${appKind}', $3,
       (select count(*) from service.mails where email = $2 and queue = '${appKind}'),
       now() + $7 * interval '1 second',
       now() + $4 * interval '1 minute'
     from room
     returning id`,
    [id, email, encrypted, minutes, maxWaiting, maxBytes, delaySeconds],
  );
  return rows.length > 0;
}
