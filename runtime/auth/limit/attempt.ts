import { createHash } from "node:crypto";
import { type Queryable, unwaited } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { pruneExpired } from "../pruning.js";

export interface Attempt {
  /** The action and the subject whose attempts are limited: `password:someone@example.com`. */
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly now: Date;
  /**
   * Whether the count is committed asynchronously, without waiting for the disk or for standbys: a crash of PostgreSQL
   * may lose the counts of the last second. Must not share a transaction with other writes, which could be lost as
   * well.
   */
  readonly mayBeLost?: true;
}

/** Whether an attempt is allowed; `retryAfter` is in whole seconds. */
export type AttemptResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfter: number };

/** A query that runs in the statement that counts an attempt. */
interface Beside {
  /** Returns the SQL of the query, given the placeholder of its parameter (`$6`). */
  readonly sql: (parameter: string) => string;
  readonly value: string;
}

/**
 * Counts an attempt in an exact sliding window, across all instances. A refused attempt is not counted, so a client
 * that keeps retrying is allowed once the window has moved on.
 */
export async function countAttempt(db: Queryable, attempt: Attempt): Promise<AttemptResult> {
  const rows = await db.query<Counted>(recording(attempt), recorded(attempt));
  return judge(db, attempt, rows[0]);
}

/**
 * Counts an attempt like `countAttempt`, and returns the first row of a query in the same statement; null if there is
 * no row or the attempt is refused. A second statement would add more than 1% to the time of a sign-in.
 */
export async function countAttemptBeside<Row extends object>(
  db: Queryable,
  attempt: Attempt,
  { sql, value }: Beside,
): Promise<{ readonly result: AttemptResult; readonly found: Row | null }> {
  const values = [...recorded(attempt), value];
  const rows = await db.query<Counted & { readonly found: Row | null }>(
    `with counted as (${recording(attempt)}), found as (${sql(`$${values.length}`)})
     select counted.count, (select to_json(found) from found limit 1) as found
     from counted`,
    values,
  );
  return { result: await judge(db, attempt, rows[0]), found: rows[0]?.found ?? null };
}

/** The number of attempts in the window, including this one. */
interface Counted {
  readonly count: number;
}

/** `counted` is undefined if the window was full. */
async function judge(
  db: Queryable,
  attempt: Attempt,
  counted: Counted | undefined,
): Promise<AttemptResult> {
  if (counted === undefined) {
    const { oldest } = await countInWindow(db, attempt);
    return toRefused(attempt, oldest);
  }
  if (counted.count === 1) await pruneExpired(db, "service.attempts");
  return { allowed: true };
}

/** Uncounts an attempt that had no effect. */
export async function uncountAttempt(
  db: Queryable,
  attempt: Pick<Attempt, "key" | "now">,
): Promise<void> {
  await db.query(
    `update service.attempts
     set at = at[:array_position(at, $2) - 1] || at[array_position(at, $2) + 1:]
     where key = $1
       and array_position(at, $2) is not null`,
    [hashKey(attempt), attempt.now],
  );
}

/** Whether an attempt would be allowed, without counting it; for limits that count failures only. */
export async function checkAttempt(db: Queryable, attempt: Attempt): Promise<AttemptResult> {
  const { count, oldest } = await countInWindow(db, attempt);
  return count < attempt.limit ? { allowed: true } : toRefused(attempt, oldest);
}

function toRefused({ windowSeconds, now }: Attempt, oldest: Date | null): AttemptResult {
  const free = new Date((oldest ?? now).getTime() + windowSeconds * 1000);
  return { allowed: false, retryAfter: secondsUntil(free, now) };
}

/** The value of `Retry-After`: whole seconds, at least one. */
export function secondsUntil(time: Date, now: Date): number {
  return Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000));
}

function hashKey({ key }: Pick<Attempt, "key">): string {
  return createHash("sha256").update(key).digest("base64url");
}

function windowStart({ windowSeconds, now }: Attempt): Date {
  return new Date(now.getTime() - windowSeconds * 1000);
}

/** SQL that counts an attempt; returns no row if the window is full. Its parameters are those of `recorded`. */
function recording({ mayBeLost }: Attempt): string {
  // PostgreSQL locks the row before it evaluates the condition: each of several concurrent attempts sees the previous
  // ones. `least` keeps attempts that other instances still count, in case this instance's clock is ahead.
  return `insert into service.attempts as attempts (key, at, expires_at)
     select $1, array[$2::timestamptz], $3 ${mayBeLost === true ? `from ${unwaited}` : ""}
     on conflict (key) do update
     set at = array(
           select t
           from unnest(attempts.at) as t
           where t > least($4, now() - ($3::timestamptz - $2::timestamptz))
           order by t desc
           limit $5
         ) || $2::timestamptz,
         expires_at = excluded.expires_at
     where (select count(*) from unnest(attempts.at) as t where t > $4) < $5
     returning (select count(*)::int from unnest(at) as t where t > $4) as count`;
}

function recorded(attempt: Attempt): readonly unknown[] {
  const { limit, windowSeconds, now } = attempt;
  const windowEnd = new Date(now.getTime() + windowSeconds * 1000);
  return [hashKey(attempt), now, windowEnd, windowStart(attempt), limit];
}

async function countInWindow(
  db: Queryable,
  attempt: Attempt,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const rows = await db.query<{ count: number; oldest: Date | null }>(
    `select count(*)::int as count, min(t) as oldest
     from service.attempts
     cross join unnest(at) as t
     where key = $1
       and t > $2`,
    [hashKey(attempt), windowStart(attempt)],
  );
  return rows[0] ?? { count: 0, oldest: null };
}

export function refuseUnlessAllowed(result: AttemptResult): void {
  if (!result.allowed) refuse("TOO_MANY_ATTEMPTS", { retryAfter: result.retryAfter });
}

/** Maximum number of guesses at one code, challenge or setup, which is then discarded. */
export const maxGuesses = 5;

/** Refuses further guesses at a discarded code, challenge or setup until it expires. */
export function refuseDiscarded(expiresAt: Date, now: Date): never {
  return refuse("TOO_MANY_ATTEMPTS", { retryAfter: secondsUntil(expiresAt, now) });
}
