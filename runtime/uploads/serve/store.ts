import type { Database } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";
import type { PlacedObject } from "../objects/place.js";

/** An object that clients may fetch. */
export interface ServedObject extends PlacedObject {
  /** In bytes. */
  readonly size: number;
  /** Details of its upload; a rendition has the name of its picture. */
  readonly file: Pick<FileDetails, "key" | "mime" | "name" | "optimised">;
  readonly resource: string;
  readonly field: string;
  /** The account that uploaded the object; null if the account is deleted. */
  readonly uploader: string | null;
}

/** The object with that key; null if it belongs to no upload. */
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
