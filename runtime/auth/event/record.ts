import { v7 } from "uuid";
import type { Clock } from "../../clock/index.js";
import type { Queryable, Transaction } from "../../db/index.js";
import type { EventKind } from "../../values/api/event-kinds.js";

/** What happened to an account. */
export interface AccountEvent {
  readonly kind: EventKind;
  readonly accountId: string;
  /** The account that did it; null for the command line. */
  readonly by: string | null;
}

/** Days for which events are kept. */
export const keptDays = 400;

/**
 * Records an event in its transaction, and deletes old ones. Where the account does not exist nothing is recorded, at the
 * same cost: a registration must not reveal whether it has added one.
 */
export async function recordEvent(
  { db, clock }: { readonly db: Transaction; readonly clock: Clock },
  { kind, accountId, by }: AccountEvent,
): Promise<void> {
  await db.query(
    `with account as (
       select id
       from service.users
       where id = $1
     ), ${recordedParts("account", 2)}
     select`,
    [accountId, ...recordedValues(kind, by, clock.now())],
  );
}

/**
 * SQL of common table expressions that record an event of the account whose `id` a relation has, as a part of the statement
 * that makes it happen, and delete up to twenty that are too old by PostgreSQL's clock, so that they do not accumulate. Their
 * parameters begin at `first`: see `recordedValues`.
 */
export function recordedParts(account: string, first: number): string {
  return `old_event as (
       select id
       from service.account_events
       where id < service.lowest_id(now() - interval '${keptDays} days')
       order by id
       limit 20
       for update skip locked
     ), deleted_event as (
       delete from service.account_events
       where id in (select id from old_event)
     ), event as (
       insert into service.account_events (id, at, kind, account_id, by_id)
       select $${first}, $${first + 1}, $${first + 2}, id, $${first + 3}
       from ${account}
     )`;
}

/** What the parameters of `recordedParts` are. */
export function recordedValues(kind: EventKind, by: string | null, now: Date): readonly unknown[] {
  return [v7({ msecs: now.getTime(), seq: nextInOrder() }), now, kind, by];
}

/** Records that the command line has created these accounts, which are there. */
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

/** Keeps the events of one process in order that happen within a millisecond. */
function nextInOrder(): number {
  recorded = (recorded + 1) % 2 ** 32;
  return recorded;
}
