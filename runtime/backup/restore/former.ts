import type { Queryable } from "../../db/index.js";
import type { Storage } from "../../uploads/index.js";

/** Stores the list of the storage's objects before a restore, until the transaction ends. */
export async function listFormerObjects(db: Queryable): Promise<void> {
  await db.query(
    `create temporary table former_objects on commit drop as
     select key, size, is_private from service.stored_objects`,
  );
}

/**
 * Records previous objects that are not in the archive as objects without an upload, so that they are removed from the
 * storage. If an object was in the other part of a bucket (public or private), that copy is removed too.
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
