import { createHash, randomInt } from "node:crypto";
import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";

/** One try at something that may be tried only so often. */
export interface Attempt {
  /** What is limited, and for whom: `password:someone@example.com`. */
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly now: Date;
}

/** `retryAfter`: whole seconds until a try is allowed again. */
export type AttemptResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfter: number };

/**
 * Counts a try in an exact sliding window, over all instances together. A refused try is not
 * counted: whoever keeps trying is let in as soon as the window has moved on.
 */
export async function attempt(db: Queryable, tried: Attempt): Promise<AttemptResult> {
  const { limit, windowSeconds, now } = tried;
  const hashedKey = hashOf(tried);
  const windowEnd = new Date(now.getTime() + windowSeconds * 1000);

  const tries = await record(db, {
    hashedKey,
    limit,
    now,
    windowStart: windowStart(tried),
    windowEnd,
  });
  if (tries === null) return refusal(tried, (await inWindow(db, tried)).oldest);
  if (tries === 1 && isPruning()) await prune(db);
  return { allowed: true };
}

/** Takes a counted try back, for which nothing was done. */
export async function takeBack(db: Queryable, tried: Pick<Attempt, "key" | "now">): Promise<void> {
  await db.query(
    `update service.attempts
     set at = at[:array_position(at, $2) - 1] || at[array_position(at, $2) + 1:]
     where key = $1
       and array_position(at, $2) is not null`,
    [hashOf(tried), tried.now],
  );
}

/** Whether a try would be allowed; counts none. For what counts failures only. */
export async function mayAttempt(db: Queryable, tried: Attempt): Promise<AttemptResult> {
  const { tries, oldest } = await inWindow(db, tried);
  return tries < tried.limit ? { allowed: true } : refusal(tried, oldest);
}

function refusal({ windowSeconds, now }: Attempt, oldest: Date | null): AttemptResult {
  const free = new Date((oldest ?? now).getTime() + windowSeconds * 1000);
  return { allowed: false, retryAfter: secondsUntil(free, now) };
}

/** For `Retry-After`: whole seconds, and never none. */
export function secondsUntil(time: Date, now: Date): number {
  return Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000));
}

function hashOf({ key }: Pick<Attempt, "key">): string {
  return createHash("sha256").update(key).digest("base64url");
}

function windowStart({ windowSeconds, now }: Attempt): Date {
  return new Date(now.getTime() - windowSeconds * 1000);
}

/** How many tries the window holds with this one; null when it is full. */
async function record(
  db: Queryable,
  row: {
    readonly hashedKey: string;
    readonly limit: number;
    readonly now: Date;
    readonly windowStart: Date;
    readonly windowEnd: Date;
  },
): Promise<number | null> {
  // PostgreSQL locks the row before it looks at the condition: each of many concurrent tries sees
  // the ones before it. A clock of ours that is ahead forgets none that others still count.
  const rows = await db.query<{ tries: number }>(
    `insert into service.attempts as attempt (key, at, expires_at)
     values ($1, array[$2::timestamptz], $3)
     on conflict (key) do update
     set at = array(
           select t
           from unnest(attempt.at) as t
           where t > least($4, now() - ($3::timestamptz - $2::timestamptz))
           order by t desc
           limit $5
         ) || $2::timestamptz,
         expires_at = excluded.expires_at
     where (select count(*) from unnest(attempt.at) as t where t > $4) < $5
     returning (select count(*)::int from unnest(at) as t where t > $4) as tries`,
    [row.hashedKey, row.now, row.windowEnd, row.windowStart, row.limit],
  );
  return rows[0]?.tries ?? null;
}

async function inWindow(
  db: Queryable,
  tried: Attempt,
): Promise<{ readonly tries: number; readonly oldest: Date | null }> {
  const rows = await db.query<{ tries: number; oldest: Date | null }>(
    `select count(*)::int as tries, min(t) as oldest
     from service.attempts
     cross join unnest(at) as t
     where key = $1
       and t > $2`,
    [hashOf(tried), windowStart(tried)],
  );
  return rows[0] ?? { tries: 0, oldest: null };
}

/** One in sixteen rows that begin a window, drawn by chance: clients choose the keys. */
function isPruning(): boolean {
  return randomInt(16) === 0;
}

/**
 * Takes more old rows away than have come since it was last done, so that they never pile up; by
 * PostgreSQL's clock, as a wrong one of ours would take everybody's.
 */
async function prune(db: Queryable): Promise<void> {
  await db.query(
    `delete from service.attempts
     where key in (
       select key
       from service.attempts
       where expires_at <= now()
       order by expires_at
       limit 100
       for update skip locked
     )`,
  );
}

/** Refuses a try that was one too many. */
export function refuseUnlessAllowed(result: AttemptResult): void {
  if (!result.allowed) refuse("TOO_MANY_ATTEMPTS", { retryAfter: result.retryAfter });
}

/** Guesses at one code, challenge or set-up (specification, "Limits"); then it is discarded. */
export const mostGuesses = 5;

/** Refuses a guess at something whose guesses are used up, until its time is over. */
export function refuseDiscarded(expiresAt: Date, now: Date): never {
  return refuse("TOO_MANY_ATTEMPTS", { retryAfter: secondsUntil(expiresAt, now) });
}
