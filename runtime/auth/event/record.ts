import { v7 } from "uuid";
import type { Clock } from "../../clock/index.js";
import type { Transaction } from "../../db/index.js";
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
 * Records an event in its transaction, and deletes up to twenty that are too old by PostgreSQL's clock,
 * so that they do not accumulate. Where the account does not exist nothing is recorded, at the same cost: a
 * registration must not reveal whether it has added one.
 */
export async function recordEvent(
  { db, clock }: { readonly db: Transaction; readonly clock: Clock },
  { kind, accountId, by }: AccountEvent,
): Promise<void> {
  const now = clock.now();
  await db.query(
    `with old as (
       select id
       from service.account_events
       where id < service.lowest_id(now() - interval '${keptDays} days')
       order by id
       limit 20
       for update skip locked
     ), removed as (
       delete from service.account_events
       where id in (select id from old)
     )
     insert into service.account_events (id, at, kind, account_id, by_id)
     select $1, $2, $3, id, $5
     from service.users
     where id = $4`,
    [v7({ msecs: now.getTime(), seq: nextInOrder() }), now, kind, accountId, by],
  );
}

let recorded = 0;

/** Keeps the events of one process in order that happen within a millisecond. */
function nextInOrder(): number {
  recorded = (recorded + 1) % 2 ** 32;
  return recorded;
}
