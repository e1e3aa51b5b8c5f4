import type { Queryable } from "../db/index.js";
import type { Queue } from "./queues.js";

/** A mail to be stored. */
export interface NewMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
  readonly queue: Queue;
  readonly sealed: Buffer;
  /** Whether it makes the waiting ones of its kind to its address worthless. */
  readonly supersedes: boolean;
  /** Milliseconds before it is first tried. */
  readonly headStart: number;
  readonly minutes: number;
}

/** The kind of a mail that nobody gets. */
export const nobodys = "none";

/** Mails that wait in one queue, each of about a kilobyte; the other queues have room of their own. */
export const mostInQueue = 10_000;

/**
 * Of the last so many places, the fuller the queue is the fewer are given, by chance. Were it exact, whoever
 * fills a queue up to its last place could see by the next answer whether a mail was stored for an address.
 */
export const uncertainPlaces = 1_000;

/** Mails that wait for one address; the oldest goes. There are six kinds of codes and links. */
export const mostForOne = 20;

/** Stores a mail; false, and nothing is stored, where its queue is full. All times are PostgreSQL's. */
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
         and exists (select from room)
         and (
           ($5 and kind = $3)
           or id in (
             select id
             from service.mails
             where email = $2
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
       (
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
      mail.sealed,
      mail.supersedes,
      mail.headStart,
      mail.minutes,
      mostForOne,
      mail.queue,
      mostInQueue,
      uncertainPlaces,
    ],
  );
  return rows.length > 0;
}

/** Deletes mails that were sent, or never will be. */
export async function deleteMails(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query("delete from service.mails where id = any ($1)", [ids]);
}

/** Deletes the mails that nobody gets, once they are due. */
export async function deleteNobodys(db: Queryable): Promise<void> {
  await db.query(
    `delete from service.mails
     where id = any (array(
       select id
       from service.mails
       where kind = '${nobodys}'
         and due_at <= now()
       limit ${mostDeleted}
       for update skip locked
     ))`,
  );
}

/** Rows that one statement deletes, so that none takes long. */
export const mostDeleted = 1_000;

/** Deletes mails of which nothing counts any more, so many at a time. */
export function deleteExpired(db: Queryable): Promise<readonly Pick<NewMail, "email" | "kind">[]> {
  return db.query<Pick<NewMail, "email" | "kind">>(
    `delete from service.mails
     where id = any (array(
       select id
       from service.mails
       where expires_at <= now()
       limit ${mostDeleted}
       for update skip locked
     ))
     returning email, kind`,
  );
}
