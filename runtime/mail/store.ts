import type { Queryable } from "../db/index.js";

/** A mail to be stored. */
export interface NewMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
  readonly sealed: Buffer;
  /** Whether it makes the waiting ones of its kind to its address worthless. */
  readonly supersedes: boolean;
  /** Milliseconds before it is first tried. */
  readonly headStart: number;
  readonly minutes: number;
}

/** The kind of a mail that nobody gets. */
export const nobodys = "none";

/** Mails that wait, each of about a kilobyte. */
export const mostWaiting = 20_000;

/** Mails that wait for one address; the oldest goes. There are six kinds of codes and links. */
export const mostForOne = 20;

/** Stores a mail; false, and nothing is stored, where too many wait. All times are PostgreSQL's. */
export async function insertMail(tx: Queryable, mail: NewMail): Promise<boolean> {
  const rows = await tx.query(
    `with room as (
       select
       where (select count(*) from (select from service.mails limit $9) as waiting) < $9
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
     insert into service.mails (id, email, kind, sealed, turn, due_at, expires_at)
     select $1, $2, $3, $4,
       (select count(*) from service.mails where email = $2 and not ($5 and kind = $3)),
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
      mostWaiting,
    ],
  );
  return rows.length > 0;
}

/** A mail that this process sends, and no other does as long as it holds on to it. */
export interface ClaimedMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
  readonly sealed: Buffer;
  /** This one included. */
  readonly tries: number;
  /** Seconds until what is in it counts no more. */
  readonly secondsLeft: number;
}

/** Which mails are wanted. */
export interface Claim {
  readonly count: number;
  /** Only the first try of the first mail to an address. */
  readonly isForFresh: boolean;
  /** Milliseconds; what is due so much later is taken too. */
  readonly ahead: number;
  /** Seconds for which nobody else takes them. */
  readonly lease: number;
}

/** Takes mails that are due: those of addresses with few of them first, then the longest waiting. */
export function claimMails(
  db: Queryable,
  { count, isForFresh, ahead, lease }: Claim,
): Promise<readonly ClaimedMail[]> {
  return db.query<ClaimedMail>(
    `update service.mails
     set due_at = now() + $4 * interval '1 second',
         tries = tries + 1
     where id = any (array(
       select id
       from service.mails
       where due_at <= now() + $3 * interval '1 millisecond'
         and expires_at > now()
         and kind <> '${nobodys}'
         and (not $2 or (turn = 0 and tries = 0))
       order by turn, due_at
       limit $1
       for update skip locked
     ))
     returning id, email, kind, sealed, tries,
       extract(epoch from expires_at - now())::float8 as "secondsLeft"`,
    [count, isForFresh, ahead, lease],
  );
}

/** Holds on to mails for so many seconds more. */
export async function renewLease(
  db: Queryable,
  ids: readonly string[],
  lease: number,
): Promise<void> {
  await db.query(
    `update service.mails
     set due_at = now() + $2 * interval '1 second'
     where id = any ($1)`,
    [ids, lease],
  );
}

/** Puts mails that were not sent back, to be tried again so many seconds later, after others. */
export async function postponeMails(
  db: Queryable,
  ids: readonly string[],
  seconds: number,
): Promise<void> {
  await db.query(
    `update service.mails
     set due_at = now() + $2 * interval '1 second',
         turn = turn + 1
     where id = any ($1)`,
    [ids, seconds],
  );
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
       limit 1000
       for update skip locked
     ))`,
  );
}

/** Deletes mails of which nothing counts any more. */
export function deleteExpired(
  db: Queryable,
): Promise<readonly Pick<ClaimedMail, "id" | "email" | "kind">[]> {
  return db.query<Pick<ClaimedMail, "id" | "email" | "kind">>(
    `delete from service.mails
     where id = any (array(
       select id
       from service.mails
       where expires_at <= now()
       limit 1000
       for update skip locked
     ))
     returning id, email, kind`,
  );
}
