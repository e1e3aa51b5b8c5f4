import type { Queryable } from "../../db/index.js";

/** Number of deliveries that one statement deletes: few enough to be fast, although each may have 256 kB. */
const atOnce = 500;

/** Deletes deliveries older than thirty days, and those of deleted webhooks. */
export async function deleteOld(db: Queryable): Promise<void> {
  const deleted = await db.query(
    `delete from service.webhook_deliveries
     where id = any (array(
       select id
       from service.webhook_deliveries
       where created_at < now() - interval '30 days'
       limit ${atOnce}
       for update skip locked
     ))
     returning id`,
  );
  const left = await deleteLeft(db);
  if (deleted.length === atOnce || left === atOnce) await deleteOld(db);
}

/** Deletes deliveries of deleted webhooks. The ids of webhooks are found by a loose index scan. */
async function deleteLeft(db: Queryable): Promise<number> {
  const deleted = await db.query(
    `with recursive ids as (
       (select webhook_id as id from service.webhook_deliveries order by webhook_id limit 1)
       union all
       select (
         select webhook_id
         from service.webhook_deliveries
         where webhook_id > ids.id
         order by webhook_id
         limit 1
       )
       from ids
       where ids.id is not null
     )
     delete from service.webhook_deliveries
     where id = any (array(
       select left_over.id
       from service.webhook_deliveries left_over
       where left_over.webhook_id in (
         select ids.id from ids where not exists (
           select from service.webhooks where webhooks.id = ids.id
         )
       )
       limit ${atOnce}
       for update skip locked
     ))
     returning id`,
  );
  return deleted.length;
}
