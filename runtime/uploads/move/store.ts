import type { Database, Queryable } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";
import type { FieldPrivacy } from "../objects/private-files.js";

export interface MisplacedUpload {
  readonly key: string;
  readonly details: FileDetails;
  /** Whether the upload's field is private now. */
  readonly isPrivate: boolean;
  readonly isAttachment: boolean;
  readonly objects: readonly MisplacedObject[];
}

export interface MisplacedObject {
  readonly key: string;
  readonly isPrivate: boolean;
  /** Whether the other location may have a copy of the object. */
  readonly isMoving: boolean;
}

/** SQL for misplaced objects; the parameter has the fields as JSON. */
const misplaced = `
  service.stored_objects as stored
  join service.uploads as upload on upload.key = stored.upload_key
  join jsonb_to_recordset($1::jsonb) as wanted (resource text, field text, "isPrivate" boolean, "isAttachment" boolean)
    on wanted.resource = upload.resource and wanted.field = upload.field
    and (stored.is_private <> wanted."isPrivate" or stored.is_moving)`;

/** The number of objects still to move. */
export async function countMisplaced(
  db: Queryable,
  fields: readonly FieldPrivacy[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::float8 as count from ${misplaced}`,
    [JSON.stringify(fields)],
  );
  return row?.count ?? 0;
}

/** The next misplaced uploads after that key, ordered by key. */
export function nextMisplaced(
  db: Database,
  fields: readonly FieldPrivacy[],
  after: string,
): Promise<readonly MisplacedUpload[]> {
  return db.read<MisplacedUpload>({
    text: `select upload.key, upload.details, wanted."isPrivate",
       coalesce(wanted."isAttachment", false) as "isAttachment",
       json_agg(json_build_object(
         'key', stored.key, 'isPrivate', stored.is_private, 'isMoving', stored.is_moving
       )) as objects
     from ${misplaced}
     where upload.key > $2
     group by upload.key, wanted."isPrivate", wanted."isAttachment"
     order by upload.key
     limit 50`,
    values: [JSON.stringify(fields), after],
    cost: "scan",
    isVaried: true,
  });
}

/** Records the current privacy of all objects, for storages with one location for private and public objects. */
export async function noteAll(db: Queryable, fields: readonly FieldPrivacy[]): Promise<void> {
  await db.query(
    `update service.stored_objects
     set is_private = not is_private, is_moving = false
     where key in (select stored.key from ${misplaced} where stored.is_private <> wanted."isPrivate")`,
    [JSON.stringify(fields)],
  );
}

/** Records that these objects may be in both locations. */
export async function beginMove(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query(
    "update service.stored_objects set is_moving = true where key = any ($1::text[])",
    [keys],
  );
}

/** Makes reads of the object use its new location; returns false if it no longer exists. */
export async function turnTo(
  db: Queryable,
  { key, isPrivate }: { readonly key: string; readonly isPrivate: boolean },
): Promise<boolean> {
  const rows = await db.query(
    "update service.stored_objects set is_private = $2 where key = $1 returning key",
    [key, isPrivate],
  );
  return rows.length > 0;
}

/** Records the move of these objects as complete: only their current location has them, at the URLs in the details. */
export async function endMove(db: Queryable, keys: readonly string[]): Promise<void> {
  await db.query(
    "update service.stored_objects set is_moving = false where key = any ($1::text[])",
    [keys],
  );
}

/** Replaces the URLs in an upload's details, unless they have changed since. */
export async function replaceDetails(
  db: Queryable,
  former: FileDetails,
  details: FileDetails,
): Promise<void> {
  await db.query(
    `update service.uploads set details = $2::text::json
     where key = $1 and details::text::jsonb = $3::text::jsonb`,
    [former.key, JSON.stringify(details), JSON.stringify(former)],
  );
}
