import type { Database } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";
import type { PlacedObject } from "../objects/place.js";

export interface ServedObject extends PlacedObject {
  /** Bytes. */
  readonly size: number;
  /** Details of the upload; a rendition has the name of its picture. */
  readonly file: Pick<FileDetails, "key" | "mime" | "name" | "optimised">;
  readonly resource: string;
  readonly field: string;
  /** The account that uploaded the object; null if it was deleted. */
  readonly uploader: string | null;
}

/** The object with this key; null if it does not belong to an upload. */
export async function findObject(db: Database, key: string): Promise<ServedObject | null> {
  const [row] = await db.read<ServedObject>({
    text: `select stored.key, stored.size::float8 as size, stored.is_private as "isPrivate",
       upload.details as file, upload.resource, upload.field,
       coalesce(upload.user_id::text, upload.sender) as uploader
     from service.stored_objects as stored
     join service.uploads as upload on upload.key = stored.upload_key
     where stored.key = $1`,
    values: [key],
    cost: "key",
  });
  return row ?? null;
}
