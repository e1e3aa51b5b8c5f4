import type { LogState } from "../../changes/index.js";
import type { Queryable } from "../../db/index.js";

/** An enabled webhook, which receives the changes after its position. */
export interface Listener {
  readonly id: string;
  readonly events: readonly string[];
  readonly position: number;
  /** The account whose rights determine what the webhook receives. */
  readonly account: string;
  readonly role: string | null;
}

/** Maximum number of waiting deliveries per webhook. Further ones are stored once there is room. */
const mostWaiting = 10_000;

const enabled = `service.webhooks
     join service.users on users.id = webhooks.by_id and users.disabled_at is null
     where not webhooks.is_disabled`;

/** Whether any webhook is enabled. */
export async function hasListeners(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ any: boolean }>(`select exists (select from ${enabled}) as any`);
  return found?.any ?? false;
}

/** The webhooks whose position is behind the log, without those that have too many waiting deliveries. */
export function findListeners(tx: Queryable, { n }: LogState): Promise<readonly Listener[]> {
  return tx.query<Listener>(
    `select webhooks.id, webhooks.events, webhooks.position::float8 as position,
       users.id as account, users.role
     from ${enabled}
       and webhooks.position < $1
       and (
         select count(*)
         from (
           select
           from service.webhook_deliveries waiting
           where waiting.webhook_id = webhooks.id and waiting.state = 'waiting'
           limit ${mostWaiting}
         ) as some_waiting
       ) < ${mostWaiting}`,
    [n],
  );
}

/**
 * Moves positions that are before the oldest logged change, or from a previous log, to the start of the log. Resolves
 * with the ids of these webhooks, which miss changes.
 */
export async function keepPositions(
  tx: Queryable,
  { log, keptAfter }: LogState,
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `update service.webhooks
     set log = $1, position = $2
     where log is distinct from $1 or position < $2
     returning id`,
    [log, keptAfter],
  );
  return rows.map(({ id }) => id);
}

export async function movePositions(
  tx: Queryable,
  ids: readonly string[],
  to: number,
): Promise<void> {
  await tx.query("update service.webhooks set position = $2 where id = any ($1)", [ids, to]);
}
