import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { isUuid } from "../../values/uuid.js";
import type { FileDetails } from "../objects/details.js";
import { givenObjects, giveObjects, type StoredObject } from "../objects/store.js";

/** An upload whose objects are all in the storage. */
export interface Upload {
  readonly resource: string;
  readonly field: string;
  /** The id of the sender; with a custom `authenticate` it may not be that of an account. */
  readonly accountId: string;
  readonly details: FileDetails;
  /** The profile that processed the picture; null for a file stored unchanged. */
  readonly profile: object | null;
  readonly objects: readonly StoredObject[];
  /** When the upload is recorded. From then on a record may use it; if none does, it is pruned. */
  readonly now: Date;
}

/**
 * Records the upload, so that a record's field may refer to its key. Refuses with `UNAVAILABLE` if pruning has removed
 * its objects because the upload took too long.
 */
export async function recordUpload(db: Queryable, upload: Upload): Promise<void> {
  const { resource, field, accountId, details, profile, objects, now } = upload;
  const recorded = await db.query(
    `with _announced as (
       select key
       from service.stored_objects
       where key = any($1) and unused_since is not null
       for update
     ),
     _upload as (
       insert into service.uploads
         (key, resource, field, user_id, sender, details, profile, created_at, unused_since)
       select
         $3, $4, $5, _account.id, case when _account.id is null then nullif($10, '') end,
         $7::text::json, $8::text::jsonb, _time.stored, _time.stored
       from (select (select id from service.users where id = $6) as id) as _account
       -- The same: pruning tells by it that no record has ever held the file.
       cross join (select greatest($9, now()) as stored) as _time
       where (select count(*) from _announced) = cardinality($1::text[])
       returning key
     )
     ${giveObjects}`,
    [
      ...givenObjects(objects),
      details.key,
      resource,
      field,
      isUuid(accountId) ? accountId : null,
      JSON.stringify(details),
      profile === null ? null : JSON.stringify(profile),
      now,
      accountId,
    ],
  );
  if (recorded.length === 0) refuse("UNAVAILABLE");
}
