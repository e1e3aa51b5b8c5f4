import type { Queryable } from "../../db/index.js";
import { type Queue, weightOf } from "./queues.js";
import { decoyKind } from "./store.js";

/** An email that this process sends. No other process sends it until the lease expires. */
export interface ClaimedMail {
  readonly id: string;
  readonly email: string;
  readonly kind: string;
  readonly queue: Queue;
  readonly encrypted: Buffer;
  /** Delivery attempts, including this one. */
  readonly attempts: number;
  /** Seconds until the email expires. */
  readonly secondsLeft: number;
}

/** Which emails may be claimed, and for how long. */
export interface Claim {
  /** Milliseconds: emails that become due within this time are claimed too. */
  readonly ahead: number;
  /** Seconds during which no other process claims the email. */
  readonly leaseSeconds: number;
}

/**
 * Claims an email that is due. Within a queue, emails to addresses with few queued emails come first, then the oldest.
 */
export function claimMail(db: Queryable, claim: Claim): Promise<ClaimedMail | null> {
  return claimBy(db, claim, { pick: "order by turn, due_at", except: [] });
}

/**
 * Claims an email that is the first to its address in its queue and has not been attempted. The newest comes first, so
 * that a request after a flood does not wait for the flood to be sent. Skips the queues in `except`.
 */
export function claimFirstMail(
  db: Queryable,
  { except, ...claim }: Claim & { readonly except: readonly Queue[] },
): Promise<ClaimedMail | null> {
  const pick = "and turn = 0 and tries = 0 order by due_at desc";
  return claimBy(db, claim, { pick, except });
}

/**
 * A weighted random draw chooses among the queues that have emails: each makes progress even if others are full, and
 * processes share no state.
 */
async function claimBy(
  db: Queryable,
  { ahead, leaseSeconds }: Claim,
  { pick, except }: { readonly pick: string; readonly except: readonly Queue[] },
): Promise<ClaimedMail | null> {
  const drawn = Object.entries(weightOf).filter(([queue]) => !except.some((one) => one === queue));
  const rows = await db.query<ClaimedMail>(
    `update service.mails
     set due_at = now() + $4 * interval '1 second',
         tries = tries + 1
     where id = (
       select first.id
       from unnest($1::text[], $2::int[]) as drawn (queue, weight)
       cross join lateral (
         select id
         from service.mails
         where queue = drawn.queue
           and due_at <= now() + $3 * interval '1 millisecond'
           and expires_at > now()
           and kind <> '${decoyKind}'
           ${pick}
         limit 1
         for update skip locked
       ) as first
       order by -ln(1 - random()) / drawn.weight
       limit 1
     )
     returning id, email, kind, queue, sealed as encrypted, tries as attempts,
       extract(epoch from expires_at - now())::float8 as "secondsLeft"`,
    [drawn.map(([queue]) => queue), drawn.map(([, weight]) => weight), ahead, leaseSeconds],
  );
  return rows[0] ?? null;
}

/** A claimed email. A process that takes it over after the lease has expired increments `attempts`. */
export type HeldMail = Pick<ClaimedMail, "id" | "attempts">;

/** Extends the lease of emails that no other process has taken over. */
export async function renewLease(
  db: Queryable,
  mails: readonly HeldMail[],
  leaseSeconds: number,
): Promise<void> {
  await db.query(
    `update service.mails as mail
     set due_at = now() + $3 * interval '1 second'
     from unnest($1::uuid[], $2::int[]) as held (id, tries)
     where mail.id = held.id
       and mail.tries = held.tries`,
    [...columnsOf(mails), leaseSeconds],
  );
}

/**
 * Returns unsent emails to the end of their queues, to be retried after the given number of seconds. Skips emails that
 * another process has taken over.
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
  return [mails.map(({ id }) => id), mails.map(({ attempts }) => attempts)];
}
