import { createHash } from "node:crypto";
import type { Queryable } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";
import { objectHeaders } from "../objects/headers.js";
import { type PlacedObject, placeOf } from "../objects/place.js";
import type { FieldOfFile } from "../objects/private-files.js";
import type { Source, Storage, WholeObject } from "../storage/storage.js";

/** A file of an upload, or a rendition of it. */
export interface ArchivedObject extends PlacedObject {
  /** The number of bytes when it was stored. */
  readonly size: number;
}

const pageSize = 1000;

/** All archived objects, ordered by key. */
export async function* storedObjects(db: Queryable): AsyncGenerator<ArchivedObject> {
  let page = await pageOf(db, "");
  while (page.length > 0) {
    yield* page;
    page = await pageOf(db, page.at(-1)?.key ?? "");
  }
}

function pageOf(db: Queryable, after: string): Promise<readonly ArchivedObject[]> {
  return db.query<ArchivedObject>(
    `select key, size::float8 as size, is_private as "isPrivate"
     from service.stored_objects
     where upload_key is not null and size is not null and key > $1
     order by key
     limit ${pageSize}`,
    [after],
  );
}

/** The object's bytes; null if it is missing from the storage, or has a different size there. */
export async function openArchivedObject(
  storage: Storage,
  object: ArchivedObject,
): Promise<WholeObject | null> {
  const found = await storage.readWhole(placeOf(storage, object));
  if (found === null || found.size === object.size) return found;
  found.bytes.destroy();
  return null;
}

interface Given {
  readonly key: string;
  readonly bytes: Source;
  /** SHA-256 of the bytes, in hex. */
  readonly sum: string;
}

interface Target {
  readonly db: Queryable;
  readonly storage: Storage;
  /** Whether files of the field are always downloaded, never shown inline. */
  isAttachment(field: FieldOfFile): boolean;
}

/**
 * Writes an object of an archive to the storage, unless the same bytes are already there. Returns false and writes
 * nothing if `db` has no row for the object or its upload.
 */
export async function writeArchivedObject(
  { db, storage, isAttachment }: Target,
  { key, bytes, sum }: Given,
): Promise<boolean> {
  const [row] = await db.query<FieldOfFile & { isPrivate: boolean; details: FileDetails }>(
    `select is_private as "isPrivate", details, resource, field
     from service.stored_objects as stored
     join service.uploads as upload on upload.key = stored.upload_key
     where stored.key = $1`,
    [key],
  );
  if (row === undefined) return false;
  const { isPrivate, details } = row;
  const place = placeOf(storage, { key, isPrivate });
  if ((await sumOf(storage, place)) === sum) return true;
  const serving = { isPrivate, isAttachment: isAttachment(row) };
  await storage.write(place, bytes, objectHeaders(details, serving));
  return true;
}

/** SHA-256 of the stored bytes, in hex; null if there are none. */
async function sumOf(storage: Storage, place: string): Promise<string | null> {
  const found = await storage.read(place);
  if (found === null) return null;
  const hash = createHash("sha256");
  for await (const chunk of found) hash.update(chunk);
  return hash.digest("hex");
}
