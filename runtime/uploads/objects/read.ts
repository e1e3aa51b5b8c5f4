import type { Readable } from "node:stream";
import type { Database } from "../../db/index.js";
import type { ByteRange, Storage } from "../storage/storage.js";
import { type PlacedObject, placeOf } from "./place.js";

interface ReadingServices {
  readonly db: Pick<Database, "read">;
  readonly storage: Storage;
}

/**
 * The object's bytes, or a range of them; null if the storage does not have it. If it was moved meanwhile, it is read
 * from its new location.
 */
export async function readObject(
  { db, storage }: ReadingServices,
  object: PlacedObject,
  range: ByteRange | null = null,
): Promise<Readable | null> {
  const place = placeOf(storage, object);
  const stream = await storage.read(place, range ?? undefined);
  if (stream !== null || storage.privatePrefix === "") return stream;
  const [latest] = await db.read<PlacedObject>({
    text: `select key, is_private as "isPrivate"
     from service.stored_objects
     where key = $1 and upload_key is not null`,
    values: [object.key],
    cost: "key",
  });
  if (latest === undefined || placeOf(storage, latest) === place) return null;
  return storage.read(placeOf(storage, latest), range ?? undefined);
}
