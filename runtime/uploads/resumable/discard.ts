import type { Queryable } from "../../db/index.js";
import { discardObjects } from "../objects/keep.js";
import type { PlacedObject } from "../objects/place.js";
import type { UploadServices } from "../objects/services.js";

/**
 * SQL that marks the stored objects of uploads that will never be completed, so that pruning removes them if nothing
 * does earlier. The uploads are the rows of the CTE `_ended`.
 */
const disownEnded = `
  insert into service.stored_objects as stored (key, unused_since, is_private)
  select key, null::timestamptz, is_private from _ended where state = 'open'
  union all
  select key || '.' || (piece ->> 'at'), null, is_private
  from _ended, json_array_elements(parts -> 'pieces') as piece
  where state = 'open'
  on conflict (key) do update set unused_since = null where stored.upload_key is null
  returning key, is_private as "isPrivate"`;

export interface Reason {
  readonly status: number;
  readonly error: string;
}

/** Marks an upload as refused, and removes its stored objects. */
export async function refuseUpload(
  services: UploadServices,
  { id, turn }: { readonly id: string; readonly turn: number },
  { status, error }: Reason,
): Promise<void> {
  const objects = await services.db.query<PlacedObject>(
    `with _ended as (
       select id, key, is_private, parts, state
       from service.resumable_uploads
       where id = $1 and held = $2
       for update
     ),
     _refused as (
       update service.resumable_uploads as upload
       set state = 'refused', status = $3, error = $4, size = 0, parts = null, judged = null
       from _ended
       where upload.id = _ended.id
     )
     ${disownEnded}`,
    [id, turn, status, error],
  );
  await discardObjects(services, objects);
}

/** Deletes an upload and its stored objects; a completed file stays. */
export async function deleteUpload(services: UploadServices, id: string): Promise<void> {
  const objects = await services.db.query<PlacedObject>(
    `with _ended as (
       delete from service.resumable_uploads where id = $1 returning key, is_private, parts, state
     )
     ${disownEnded}`,
    [id],
  );
  await discardObjects(services, objects);
}

/** Deletes expired uploads. Their stored objects are removed later in the pruning run. */
export async function expireUploads(db: Queryable): Promise<void> {
  await db.query(
    `with _ended as (
       delete from service.resumable_uploads
       where expires_at <= now() and (held is null or beat_at < now() - interval '1 minute')
       returning key, is_private, parts, state
     )
     ${disownEnded}`,
  );
}
