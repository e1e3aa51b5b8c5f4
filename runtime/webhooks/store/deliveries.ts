import { v7 } from "uuid";
import type { Access, Queryable } from "../../db/index.js";

/** A delivery as operators see it, with its keys in API order. */
export interface ShownDelivery {
  readonly id: string;
  readonly type: string;
  readonly state: DeliveryState;
  /** Number of completed attempts. */
  readonly attempts: number;
  /** The status of the last response; null if there was none. */
  readonly status: number | null;
  readonly at: Date;
  readonly nextAt: Date | null;
}

export interface WholeDelivery extends ShownDelivery {
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly body: string;
}

export const deliveryStates = ["waiting", "succeeded", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export function isDeliveryState(text: string): text is DeliveryState {
  return deliveryStates.some((state) => state === text);
}

const shownColumns = `id, type, state, attempts, status, created_at as at, next_at as "nextAt"`;

/** Filters of a webhook's deliveries; null means all. */
export interface DeliveryQuery {
  readonly state: DeliveryState | null;
  /** A delivery's number; only deliveries before it are listed. */
  readonly before: string | null;
  readonly limit: number;
}

/** Returns deliveries of a webhook, newest first, each with its number. */
export function listDeliveries(
  db: Pick<Access, "read">,
  webhookId: string,
  { state, before, limit }: DeliveryQuery,
): Promise<readonly (ShownDelivery & { readonly seq: string })[]> {
  const values: unknown[] = [webhookId, limit];
  const conditions = ["webhook_id = $1"];
  if (state !== null) conditions.push(`state = $${values.push(state)}`);
  if (before !== null) conditions.push(`seq < $${values.push(before)}::bigint`);
  return db.read({
    text: `select ${shownColumns}, seq::text as seq
     from service.webhook_deliveries
     where ${conditions.join(" and ")}
     order by seq desc
     limit $2`,
    values,
    cost: "scan",
    isVaried: true,
  });
}

export interface DeliveryName {
  readonly webhookId: string;
  readonly id: string;
}

export async function findDelivery(
  db: Queryable,
  { webhookId, id }: DeliveryName,
): Promise<WholeDelivery | null> {
  const [found] = await db.query<WholeDelivery>(
    `select ${shownColumns}, error, body
     from service.webhook_deliveries
     where webhook_id = $1 and id = $2`,
    [webhookId, id],
  );
  return found ?? null;
}

/** Sends a delivery in any state again, with all attempts; returns false if it does not exist. */
export async function retryDelivery(
  db: Queryable,
  { webhookId, id }: DeliveryName,
): Promise<boolean> {
  const rows = await db.query(
    `update service.webhook_deliveries
     set state = 'waiting', attempts = 0, next_at = now()
     where webhook_id = $1 and id = $2
     returning id`,
    [webhookId, id],
  );
  return rows.length > 0;
}

export interface NewDelivery {
  readonly webhookId: string;
  readonly type: string;
  readonly recordId: string | null;
  readonly body: string;
}

/** Stores deliveries in order. A delivery becomes due no earlier than a waiting one of the same record before it. */
export async function addDeliveries(
  tx: Queryable,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await tx.query(
    `insert into service.webhook_deliveries (id, webhook_id, type, record_id, body, next_at)
     select added.id, added.webhook_id, added.type, added.record_id, added.body,
       greatest(now(), (
         select max(former.next_at)
         from service.webhook_deliveries former
         where former.webhook_id = added.webhook_id
           and former.record_id = added.record_id
           and former.state = 'waiting'
       ))
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[])
       with ordinality as added (id, webhook_id, type, record_id, body, place)
     order by added.place`,
    [
      deliveries.map(() => v7()),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ type }) => type),
      deliveries.map(({ recordId }) => recordId),
      deliveries.map(({ body }) => body),
    ],
  );
}
