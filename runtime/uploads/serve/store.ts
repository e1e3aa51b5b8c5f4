import type { Database } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";

/** What is known about an object that clients may fetch. */
export interface ServedObject {
  /** Bytes. */
  readonly size: number;
  /** Details of its upload; a rendition has the name of its picture. */
  readonly file: Pick<FileDetails, "mime" | "name" | "optimised">;
}

/** The object of that key; null where it belongs to no upload. */
export async function findObject(db: Database, key: string): Promise<ServedObject | null> {
  const [row] = await db.lookUp<ServedObject>(
    `select stored.size::float8 as size, upload.details as file
     from service.stored_objects as stored
     join service.uploads as upload on upload.key = stored.upload_key
     where stored.key = $1`,
    [key],
  );
  return row ?? null;
}
