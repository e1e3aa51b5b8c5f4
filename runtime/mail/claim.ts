import type { Queryable } from "../db/index.js";
import { type Queue, turnsOf } from "./queues.js";
import { nobodys } from "./store.js";

/** A mail that this process sends, and no other does as long as it holds on to it. */
export interface ClaimedMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
  readonly queue: Queue;
  readonly sealed: Buffer;
  /** This one included. */
  readonly tries: number;
  /** Seconds until what is in it counts no more. */
  readonly secondsLeft: number;
}

/** Which mail is wanted. */
export interface Claim {
  /** Milliseconds; what is due so much later is taken too. */
  readonly ahead: number;
  /** Seconds for which nobody else takes it. */
  readonly lease: number;
}

/**
 * Takes a mail that is due. Within a queue, mails to addresses with few of them come first, then the longest
 * waiting.
 */
export function claimMail(db: Queryable, claim: Claim): Promise<ClaimedMail | null> {
  return claimBy(db, claim, { pick: "order by turn, due_at", except: [] });
}

/**
 * Takes the first try of an address's first mail in a queue that is not among the excepted, the newest one:
 * who asks after a flood does not wait for all of it.
 */
export function claimFreshMail(
  db: Queryable,
  { except, ...claim }: Claim & { readonly except: readonly Queue[] },
): Promise<ClaimedMail | null> {
  const pick = "and turn = 0 and tries = 0 order by due_at desc";
  return claimBy(db, claim, { pick, except });
}

/**
 * A draw by their turns decides between the queues that have a mail: each moves on however full the others
 * are, and no process has to know whose turn it is.
 */
async function claimBy(
  db: Queryable,
  { ahead, lease }: Claim,
  { pick, except }: { readonly pick: string; readonly except: readonly Queue[] },
): Promise<ClaimedMail | null> {
  const drawn = Object.entries(turnsOf).filter(([queue]) => !except.some((one) => one === queue));
  const rows = await db.query<ClaimedMail>(
    `update service.mails
     set due_at = now() + $4 * interval '1 second',
         tries = tries + 1
     where id = (
       select first.id
       from unnest($1::text[], $2::int[]) as drawn (queue, turns)
       cross join lateral (
         select id
         from service.mails
         where queue = drawn.queue
           and due_at <= now() + $3 * interval '1 millisecond'
           and expires_at > now()
           and kind <> '${nobodys}'
           ${pick}
         limit 1
         for update skip locked
       ) as first
       order by -ln(1 - random()) / drawn.turns
       limit 1
     )
     returning id, email, kind, queue, sealed, tries,
       extract(epoch from expires_at - now())::float8 as "secondsLeft"`,
    [drawn.map(([queue]) => queue), drawn.map(([, turns]) => turns), ahead, lease],
  );
  return rows[0] ?? null;
}

/** A mail in hand. Whoever has taken it over since its lease ended has counted one more try. */
export type HeldMail = Pick<ClaimedMail, "id" | "tries">;

/** Holds on to mails for so many seconds more, unless others have taken them over. */
export async function renewLease(
  db: Queryable,
  mails: readonly HeldMail[],
  lease: number,
): Promise<void> {
  await db.query(
    `update service.mails as mail
     set due_at = now() + $3 * interval '1 second'
     from unnest($1::uuid[], $2::int[]) as held (id, tries)
     where mail.id = held.id
       and mail.tries = held.tries`,
    [...columnsOf(mails), lease],
  );
}

/**
 * Puts mails that were not sent back, to be tried again so many seconds later, after others; those that
 * others have taken over are theirs.
 */
export async function postponeMails(
  db: Queryable,
  mails: readonly HeldMail[],
  seconds: number,
): Promise<void> {
  await db.query(
    `update service.mails as mail
     set due_at = now() + $3 * interval '1 second',
         turn = turn + 1
     from unnest($1::uuid[], $2::int[]) as held (id, tries)
     where mail.id = held.id
       and mail.tries = held.tries`,
    [...columnsOf(mails), seconds],
  );
}

function columnsOf(mails: readonly HeldMail[]): readonly [readonly string[], readonly number[]] {
  return [mails.map(({ id }) => id), mails.map(({ tries }) => tries)];
}
