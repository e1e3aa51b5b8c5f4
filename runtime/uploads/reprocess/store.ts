import type { Queryable } from "../../db/index.js";
import type { NamedProfile } from "../image/process.js";
import type { FileDetails } from "../objects/details.js";
import { givenObjects, giveObjects, type StoredObject } from "../objects/store.js";

export interface ProfiledField {
  readonly resource: string;
  readonly field: string;
  readonly profile: NamedProfile;
}

/** A stored picture whose renditions were generated with another profile. */
export interface Outdated {
  readonly key: string;
  readonly details: FileDetails;
  readonly isPrivate: boolean;
  /** The previous profile, as text from the database. */
  readonly former: string;
  readonly profile: NamedProfile;
}

/** SQL for the pictures of the fields that were processed with another profile; other files have none. */
const outdated = `
  service.uploads as upload
  join jsonb_to_recordset($1::jsonb) as wanted (resource text, field text, profile jsonb)
    on wanted.resource = upload.resource
    and wanted.field = upload.field
    and wanted.profile <> upload.profile`;

export async function countOutdated(
  db: Queryable,
  fields: readonly ProfiledField[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::float8 as count from ${outdated}`,
    [JSON.stringify(fields)],
  );
  return row?.count ?? 0;
}

/** The next outdated pictures after that key, ordered by key; empty at the end. */
export async function nextOutdated(
  db: Queryable,
  fields: readonly ProfiledField[],
  after: string,
): Promise<readonly Outdated[]> {
  const rows = await db.query<Omit<Outdated, "profile"> & FieldName>(
    `select upload.key, upload.details, upload.profile::text as former, upload.resource, upload.field,
       coalesce(stored.is_private, false) as "isPrivate"
     from ${outdated}
     left join service.stored_objects as stored on stored.key = upload.key
     where upload.key > $2
     order by upload.key
     limit 50`,
    [JSON.stringify(fields), after],
  );
  return rows.flatMap((row) => {
    const found = fields.find(
      ({ resource, field }) => resource === row.resource && field === row.field,
    );
    return found === undefined ? [] : [{ ...row, profile: found.profile }];
  });
}

type FieldName = Pick<ProfiledField, "resource" | "field">;

export interface Replacement {
  readonly upload: Outdated;
  readonly renditions: FileDetails["renditions"];
  readonly objects: readonly StoredObject[];
  readonly now: Date;
}

/**
 * Replaces a picture's renditions by new ones that are already in the storage. The previous ones are served for another
 * day. Returns false without a change if the upload was deleted or reprocessed after it was read.
 */
export async function replaceRenditions(
  db: Queryable,
  { upload, renditions, objects, now }: Replacement,
): Promise<boolean> {
  const { key, details, former, profile } = upload;
  const replaced = await db.query(
    `with _upload as (
       update service.uploads
       set details = $5::text::json, profile = $6::text::jsonb
       where key = $3 and profile = $4::text::jsonb
       returning key
     ),
     _former as (
       update service.stored_objects as stored
       set unused_since = $7
       from _upload
       where stored.upload_key = _upload.key
         and stored.key <> _upload.key
         and stored.unused_since is null
     ),
     _new as (
       ${giveObjects}
     )
     select key from _upload`,
    [
      ...givenObjects(objects),
      key,
      former,
      JSON.stringify({ ...details, renditions }),
      JSON.stringify(profile),
      now,
    ],
  );
  return replaced.length > 0;
}
