import type { Queryable } from "../../db/index.js";

export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** Objects that are about to be written. */
export interface NewObjects {
  readonly keys: readonly string[];
  readonly isPrivate: boolean;
}

/**
 * Records objects before they are written, so that pruning finds them if the server crashes before the upload is
 * recorded. A slow server clock does not make them older.
 */
export async function announceObjects(
  db: Queryable,
  { keys, isPrivate }: NewObjects,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into service.stored_objects (key, unused_since, is_private)
     select key, greatest($2, now()), $3 from unnest($1::text[]) as key`,
    [keys, now, isPrivate],
  );
}

/**
 * Deletes the rows of objects that are no longer in the storage. Resolves with the size of each in bytes, 0 if it never
 * became part of an upload; rows already deleted are left out.
 */
export async function forgetObjects(
  db: Queryable,
  keys: readonly string[],
): Promise<readonly number[]> {
  const rows = await db.query<{ size: number }>(
    `delete from service.stored_objects
     where key = any($1)
     returning coalesce(size, 0)::float8 as size`,
    [keys],
  );
  return rows.map(({ size }) => size);
}

/**
 * SQL, for a `with` clause, that assigns announced objects, now in the storage, to the upload whose key the CTE
 * `_upload` returns. The statement's first parameter is the keys of the objects, the second their sizes.
 */
export const giveObjects = `
  update service.stored_objects as stored
  set upload_key = _upload.key, size = object.size, unused_since = null
  from _upload, unnest($1::text[], $2::bigint[]) as object (key, size)
  where stored.key = object.key
  returning stored.key`;

/** The parameters of `giveObjects`. */
export function givenObjects(objects: readonly StoredObject[]): [string[], number[]] {
  return [objects.map(({ key }) => key), objects.map(({ size }) => size)];
}
