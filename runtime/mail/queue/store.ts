import type { Queryable } from "../../db/index.js";
import type { MailPriority, Queue } from "./queues.js";

/** An email to store. */
export interface NewMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
  readonly queue: Queue;
  readonly priority: MailPriority;
  readonly encrypted: Buffer;
  /** Whether the email replaces queued emails of its kind to its address. */
  readonly supersedes: boolean;
  /** Milliseconds before the first attempt. */
  readonly delayMs: number;
  readonly minutes: number;
}

/** The kind with which a decoy is stored. */
export const decoyKind = "none";

/** The maximum number of emails waiting in one queue, each of about a kilobyte. */
export const maxInQueue = 10_000;

/**
 * The last slots of a queue are granted at random, with decreasing probability. With an exact limit, an attacker who
 * fills a queue up to its last slot could see from the next response whether an email was stored for an address.
 */
export const uncertainPlaces = 1_000;

/**
 * The maximum number of emails waiting for one address, not counting those of app code; beyond that, the oldest is
 * deleted. There are six kinds of codes and links.
 */
export const maxForAddress = 20;

/** Stores an email. Returns false and stores nothing if its queue is full. All times are PostgreSQL's. */
export async function insertMail(tx: Queryable, mail: NewMail): Promise<boolean> {
  const rows = await tx.query(
    `with room as (
       select
       where (
         select count(*)
         from (select from service.mails where queue = $9 limit $10) as waiting
       ) < $10 - random() * $11
     ), former as (
       select id
       from service.mails
       where email = $2
         and queue <> 'own'
         and exists (select from room)
         and (
           ($5 and kind = $3)
           or id in (
             select id
             from service.mails
             where email = $2
               and queue <> 'own'
             order by created_at desc, id desc
             offset $8 - 1
           )
         )
       for update skip locked
     ), superseded as (
       delete from service.mails
       where id in (select id from former)
     )
     insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
     select $1, $2, $3, $9, $4,
       $12 + (
         select count(*)
         from service.mails
         where email = $2
           and queue = $9
           and not ($5 and kind = $3)
       ),
       now() + $6 * interval '1 millisecond',
       now() + $7 * interval '1 minute'
     where exists (select from room)
     returning id`,
    [
      mail.id,
      mail.email,
      mail.kind,
      mail.encrypted,
      mail.supersedes,
      mail.delayMs,
      mail.minutes,
      maxForAddress,
      mail.queue,
      maxInQueue,
      uncertainPlaces,
      mail.priority === "low" ? 1 : 0,
    ],
  );
  return rows.length > 0;
}

/** Deletes emails that were sent or given up. */
export async function deleteMails(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query("delete from service.mails where id = any ($1)", [ids]);
}

/** Deletes decoys that are due. */
export async function deleteDecoys(db: Queryable): Promise<void> {
  await db.query(
    `delete from service.mails
     where id = any (array(
       select id
       from service.mails
       where kind = '${decoyKind}'
         and due_at <= now()
       limit ${maxDeleted}
       for update skip locked
     ))`,
  );
}

/** The maximum number of rows that one statement deletes, so that it is fast. */
export const maxDeleted = 1_000;

/** Deletes expired emails, at most `maxDeleted` of them, and returns them. */
export function deleteExpired(
  db: Queryable,
): Promise<readonly Pick<NewMail, "id" | "email" | "kind">[]> {
  return db.query<Pick<NewMail, "id" | "email" | "kind">>(
    `delete from service.mails
     where id = any (array(
       select id
       from service.mails
       where expires_at <= now()
       limit ${maxDeleted}
       for update skip locked
     ))
     returning id, email, kind`,
  );
}
