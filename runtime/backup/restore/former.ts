import type { Queryable } from "../../db/index.js";
import type { Storage } from "../../uploads/index.js";

/** Remembers, until the transaction ends, what the storage has before a restore. */
export async function listFormerObjects(db: Queryable): Promise<void> {
  await db.query(
    `create temporary table former_objects on commit drop as
     select key, size, is_private from service.stored_objects`,
  );
}

/**
 * Records those that the archive does not have as objects of no upload, which are then removed from the storage. Of those
 * that were in the other place of a bucket, what is there is removed too.
 */
export async function keepFormerObjects(
  db: Queryable,
  { privatePrefix }: Pick<Storage, "privatePrefix">,
): Promise<void> {
  await db.query(
    `insert into service.stored_objects (key, size, is_private, unused_since)
     select key, size, is_private, null
     from former_objects
     on conflict (key) do nothing`,
  );
  if (privatePrefix === "") return;
  await db.query(
    `update service.stored_objects as stored
     set is_moving = true
     from former_objects as former
     where former.key = stored.key and former.is_private <> stored.is_private`,
  );
}
