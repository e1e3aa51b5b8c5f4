import type { Access, Queryable } from "../../db/index.js";

/** A webhook as operators see it, with its keys in API order. */
export interface ShownWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** A webhook has the rights of an account, and receives nothing unless that account may sign in. */
const shown = `
  select w.id, w.url, w.events,
    w.is_disabled or u.id is null or u.disabled_at is not null as disabled,
    w.created_at as "createdAt"
  from service.webhooks w
  left join service.users u on u.id = w.by_id`;

/** Returns all webhooks, newest first. */
export function listWebhooks(db: Pick<Access, "query">): Promise<readonly ShownWebhook[]> {
  return db.query<ShownWebhook>(`${shown} order by w.created_at desc, w.id desc`);
}

export async function findWebhook(db: Queryable, id: string): Promise<ShownWebhook | null> {
  const [found] = await db.query<ShownWebhook>(`${shown} where w.id = $1`, [id]);
  return found ?? null;
}

/** Returns a webhook, locked until the transaction ends. */
export async function lockWebhook(tx: Queryable, id: string): Promise<ShownWebhook | null> {
  const [found] = await tx.query<ShownWebhook>(`${shown} where w.id = $1 for update of w`, [id]);
  return found ?? null;
}

export interface NewWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly disabled: boolean;
  /** Encrypted. */
  readonly secret: Buffer;
  /** The id of the account that adds the webhook. */
  readonly by: string;
}

/** Adds a webhook, which receives changes from now on; returns false if there are already `most` webhooks. */
export async function addWebhook(tx: Queryable, added: NewWebhook, most: number): Promise<boolean> {
  const { id, url, events, disabled, secret, by } = added;
  // So that concurrent requests count each other's webhooks.
  await tx.query("lock table service.webhooks in share row exclusive mode");
  const rows = await tx.query(
    `insert into service.webhooks (id, url, events, is_disabled, secret, by_id, position, log)
     select $1, $2, $3, $4, $5, $6, counter.n, counter.log
     from service.change_counter counter
     where (select count(*) from service.webhooks) < $7
     returning id`,
    [id, url, events, disabled, secret, by, most],
  );
  return rows.length > 0;
}

/** The settings that can be changed; missing keys stay unchanged. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

/**
 * Changes a webhook. If it is enabled again, it receives changes from then on, and earlier failures no longer count.
 */
export async function changeWebhook(
  tx: Queryable,
  id: string,
  { url = null, events = null, disabled = null }: Nullable<WebhookChange>,
): Promise<void> {
  await tx.query(
    `update service.webhooks
     set url = coalesce($2, url),
         events = coalesce($3, events),
         is_disabled = coalesce($4, is_disabled),
         failing_since = case when $4 is false and is_disabled then null else failing_since end,
         position = case when $4 is false and is_disabled then counter.n else position end,
         log = case when $4 is false and is_disabled then counter.log else webhooks.log end
     from service.change_counter counter
     where id = $1`,
    [id, url, events, disabled],
  );
}

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** Deletes a webhook; its deliveries are deleted later in batches. */
export async function deleteWebhook(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query("delete from service.webhooks where id = $1 returning id", [id]);
  return rows.length > 0;
}

/**
 * Replaces the secret; deliveries are also signed with the previous one for a day. Returns false if there is no such
 * webhook.
 */
export async function replaceSecret(db: Queryable, id: string, secret: Buffer): Promise<boolean> {
  const rows = await db.query(
    `update service.webhooks
     set former_secret = secret,
         former_until = now() + interval '24 hours',
         secret = $2
     where id = $1
     returning id`,
    [id, secret],
  );
  return rows.length > 0;
}
