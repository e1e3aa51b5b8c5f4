import type { Queryable } from "../../db/index.js";

/** A delivery that only this process attempts until the lease expires. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** Null for a test delivery. */
  readonly recordId: string | null;
  readonly type: string;
  readonly body: string;
  /** Number of completed attempts. */
  readonly attempts: number;
  readonly claim: string;
  /** Whether the webhook's last attempt failed. */
  readonly isFailing: boolean;
  readonly url: string;
  /** Encrypted. */
  readonly secret: Buffer;
  /** The previous secret, with which deliveries are also signed; null if there is none or it has expired. */
  readonly formerSecret: Buffer | null;
}

/** Limits for claiming deliveries. */
export interface Claim {
  readonly most: number;
  /** The limit for webhooks whose last attempt failed. */
  readonly mostFailing: number;
  readonly mostEach: number;
  readonly mostEachFailing: number;
  /** Number of deliveries of each webhook that this process is attempting. */
  readonly underWay: ReadonlyMap<string, number>;
  readonly leaseSeconds: number;
}

/**
 * Claims due deliveries, taking one of each webhook in turn. Of a record's waiting deliveries, only the first can be
 * claimed.
 */
export function claimDeliveries(db: Queryable, claim: Claim): Promise<readonly ClaimedDelivery[]> {
  const { most, mostFailing, mostEach, mostEachFailing, underWay, leaseSeconds } = claim;
  return db.query<ClaimedDelivery>(
    `with rooms as (
       select webhooks.id, webhooks.failing_since is not null as is_failing,
         case when webhooks.failing_since is null then $3::int else $4::int end
           - coalesce(under_way.count, 0) as room
       from service.webhooks
       join service.users on users.id = webhooks.by_id and users.disabled_at is null
       left join unnest($5::uuid[], $6::int[]) as under_way (id, count) on under_way.id = webhooks.id
       where not webhooks.is_disabled
     ), found as (
       select first.id, first.next_at, rooms.is_failing,
         row_number() over (partition by rooms.id order by first.next_at, first.seq) as turn
       from rooms
       cross join lateral (
         select due.id, due.next_at, due.seq
         from service.webhook_deliveries due
         where due.webhook_id = rooms.id
           and due.state = 'waiting'
           and due.next_at <= now()
           and (due.leased_until is null or due.leased_until <= now())
           and not exists (
             select
             from service.webhook_deliveries former
             where former.webhook_id = due.webhook_id
               and former.record_id = due.record_id
               and former.state = 'waiting'
               and former.seq < due.seq
           )
         order by due.next_at, due.seq
         limit greatest(0, rooms.room)
         for update skip locked
       ) as first
     ), ranked as (
       select id, turn, next_at, is_failing,
         row_number() over (partition by is_failing order by turn, next_at) as place
       from found
     ), picked as (
       select id
       from ranked
       where not is_failing or place <= $2
       order by turn, next_at
       limit $1
     )
     update service.webhook_deliveries as taken
     set claim = gen_random_uuid(),
         leased_until = now() + $7 * interval '1 second'
     from picked, service.webhooks
     where taken.id = picked.id and webhooks.id = taken.webhook_id
     returning taken.id, taken.webhook_id as "webhookId", taken.record_id as "recordId", taken.type,
       taken.body, taken.attempts, taken.claim,
       webhooks.failing_since is not null as "isFailing", webhooks.url, webhooks.secret,
       case when webhooks.former_until > now() then webhooks.former_secret end as "formerSecret"`,
    [
      most,
      mostFailing,
      mostEach,
      mostEachFailing,
      [...underWay.keys()],
      [...underWay.values()],
      leaseSeconds,
    ],
  );
}
