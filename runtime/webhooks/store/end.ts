import type { Queryable } from "../../db/index.js";
import type { ClaimedDelivery } from "./claim.js";

// Statements check the claim as well, so that they skip a delivery that another process has taken over.

type Held = Pick<ClaimedDelivery, "id" | "claim">;

/** Records that the receiver accepted a delivery. The next deliveries of the record become due. */
export async function endSucceeded(
  db: Queryable,
  { id, claim }: Held,
  status: number,
): Promise<void> {
  await db.query(
    `with ended as (
       update service.webhook_deliveries
       set state = 'succeeded', attempts = attempts + 1, status = $3, error = null,
           next_at = null, claim = null, leased_until = null
       where id = $1 and claim = $2
       returning webhook_id, record_id
     ), followers as (
       update service.webhook_deliveries as follower
       set next_at = now()
       from ended
       where ${followsEnded} and follower.next_at > now()
     )
     update service.webhooks
     set failing_since = null
     from ended
     where webhooks.id = ended.webhook_id and webhooks.failing_since is not null`,
    [id, claim, status],
  );
}

export interface FailedTry {
  readonly status: number | null;
  readonly error: string;
  /** Seconds until the next attempt; null after the last one. */
  readonly pause: number | null;
}

/**
 * Records a failed attempt. The record's next deliveries are postponed too; after the last attempt they become due.
 * Returns false if another process has taken over the delivery.
 */
export async function endFailed(
  tx: Queryable,
  { id, claim }: Held,
  { status, error, pause }: FailedTry,
): Promise<boolean> {
  const rows = await tx.query(
    `with ended as (
       update service.webhook_deliveries
       set state = case when $5::float8 is null then 'failed' else 'waiting' end,
           attempts = attempts + 1, status = $3, error = $4,
           next_at = now() + $5 * interval '1 second', claim = null, leased_until = null
       where id = $1 and claim = $2
       returning webhook_id, record_id
     ), followers as (
       update service.webhook_deliveries as follower
       set next_at = case
         when $5::float8 is null then now()
         else greatest(follower.next_at, now() + $5 * interval '1 second')
       end
       from ended
       where ${followsEnded}
     )
     update service.webhooks
     set failing_since = coalesce(failing_since, now())
     from ended
     where webhooks.id = ended.webhook_id
     returning webhooks.id`,
    [id, claim, status, error, pause],
  );
  return rows.length > 0;
}

/** SQL that is true if a delivery waits for the one that ended. */
const followsEnded = `follower.webhook_id = ended.webhook_id
         and follower.record_id = ended.record_id
         and follower.state = 'waiting'
         and follower.id <> $1`;

/** Releases deliveries whose attempts this process aborted; these attempts do not count. */
export async function giveBack(db: Queryable, held: readonly Held[]): Promise<void> {
  await db.query(
    `update service.webhook_deliveries as given
     set claim = null, leased_until = null
     from unnest($1::uuid[], $2::uuid[]) as held (id, claim)
     where given.id = held.id and given.claim = held.claim`,
    [held.map(({ id }) => id), held.map(({ claim }) => claim)],
  );
}

/**
 * Disables a webhook that has had no success for five days, or whose receiver no longer exists, and returns its URL.
 * Returns null if neither applies, or it is already disabled.
 */
export async function disableFailing(
  tx: Queryable,
  webhookId: string,
  { isGone }: { readonly isGone: boolean },
): Promise<{ readonly url: string } | null> {
  const [disabled] = await tx.query<{ url: string }>(
    `update service.webhooks
     set is_disabled = true
     where id = $1
       and not is_disabled
       and ($2 or failing_since < now() - interval '5 days')
     returning url`,
    [webhookId, isGone],
  );
  return disabled ?? null;
}
