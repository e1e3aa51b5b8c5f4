import { v7 } from "uuid";
import type { Clock } from "../../clock/index.js";
import type { Queryable, Transaction } from "../../db/index.js";
import type { EventKind } from "../../values/api/event-kinds.js";
import { isPruningDue, prune } from "../pruning.js";

export interface AccountEvent {
  readonly kind: EventKind;
  readonly accountId: string;
  /** The account that caused the event; null for the command line. */
  readonly by: string | null;
  /** The reason given by the operator, for kinds of events that require one. */
  readonly reason?: string;
}

/** Number of days for which events are kept. */
export const keptDays = 400;

/**
 * Records an event in its transaction, and occasionally deletes old ones. If the account does not exist, records
 * nothing but takes the same time: a registration must not reveal whether it has added one.
 */
export async function recordEvent(
  { db, clock }: { readonly db: Transaction; readonly clock: Clock },
  { accountId, ...event }: AccountEvent,
): Promise<void> {
  await db.query(
    `with account as (
       select id
       from service.users
       where id = $1
     ), ${recordedPart("account", 2)}
     select`,
    [accountId, ...recordedValues(event, clock.now())],
  );
  if (isPruningDue()) await pruneEvents(db);
}

/**
 * SQL of a common table expression that records an event in the statement that causes it, for the account whose `id` is
 * in the relation `account`. Its parameters begin at `first`: see `recordedValues`. Callers also call `pruneEvents`
 * occasionally.
 */
export function recordedPart(account: string, first: number): string {
  return `event as (
       insert into service.account_events (id, at, kind, account_id, by_id, reason)
       select $${first}, $${first + 1}, $${first + 2}, id, $${first + 3}, $${first + 4}
       from ${account}
     )`;
}

/** Deletes up to a hundred expired events. */
export function pruneEvents(db: Queryable): Promise<void> {
  return prune(db, {
    table: "service.account_events",
    isOld: `id < service.lowest_id(now() - interval '${keptDays} days')`,
    oldestFirst: "id",
  });
}

/** The parameters of `recordedPart`. */
export function recordedValues(
  { kind, by, reason }: Omit<AccountEvent, "accountId">,
  now: Date,
): readonly unknown[] {
  return [v7({ msecs: now.getTime(), seq: nextInOrder() }), now, kind, by, reason ?? null];
}

/** Records the creation of accounts by the command line. */
export async function recordCreated(
  { query }: Queryable,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  const ids = accountIds.map(() => v7({ msecs: now.getTime(), seq: nextInOrder() }));
  await query(
    `insert into service.account_events (id, at, kind, account_id)
    select id, $3, 'account-created', account_id
    from unnest($1::uuid[], $2::uuid[]) as created (id, account_id)`,
    [ids, accountIds, now],
  );
}

let recorded = 0;

/** Returns a number that keeps the order of a process's events within a millisecond. */
function nextInOrder(): number {
  recorded = (recorded + 1) % 2 ** 32;
  return recorded;
}
