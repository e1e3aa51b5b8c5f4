import pLimit from "p-limit";
import type { Database } from "../../db/index.js";
import { reasonOf } from "../../errors/index.js";
import { type PlacedObject, placeOf } from "../objects/place.js";
import { forgetObjects } from "../objects/store.js";
import type { Storage } from "../storage/storage.js";

/**
 * Detaches objects from their uploads, so that they are no longer served: renditions replaced long ago, and objects
 * announced long ago that never became part of an upload.
 */
export async function disownObjects(
  db: Database,
  { before, signal }: { readonly before: Date; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const disowned = await db.query(
      `update service.stored_objects
       set upload_key = null, unused_since = null
       where key = any (array(
         select key
         from service.stored_objects
         where unused_since <= $1
         order by unused_since
         limit 1000
         for update skip locked
       ))
       returning key`,
      [before],
    );
    if (disowned.length === 0) return;
  }
}

export interface Removed {
  readonly objects: number;
  /** The total size of the removed objects that once were part of an upload; others have no known size. */
  readonly bytes: number;
  /** The number of objects that the storage failed to remove; the next run retries them. */
  readonly failed: number;
  /** The storage's error message for the operator; null if nothing failed. */
  readonly reason: string | null;
  /** A message for the operator about other remains that the service has no permission to clean up; null if it has. */
  readonly warning: string | null;
}

/** Consecutive failures after which a run stops: the storage is unavailable, and each failure may take minutes. */
const patience = 10;

/** Removes the objects that belong to no upload. The next run retries those that the storage fails to remove. */
export async function removeObjects(
  { db, storage }: { readonly db: Database; readonly storage: Storage },
  signal: AbortSignal,
): Promise<Removed> {
  const failures: unknown[] = [];
  let warning: string | null = null;
  let failedInRow = 0;
  const limit = pLimit(8);
  const isHopeless = () => failedInRow >= patience;

  /** Removes the objects; resolves with the keys that are no longer in the storage. */
  async function remove(objects: readonly Unowned[]): Promise<readonly string[]> {
    const removed: string[] = [];
    const removeOne = async (object: Unowned) => {
      if (isHopeless() || signal.aborted) return;
      try {
        for (const place of placesOf(storage, object)) {
          warning = (await storage.remove(place)) ?? warning;
        }
        removed.push(object.key);
        failedInRow = 0;
      } catch (error) {
        failures.push(error);
        failedInRow += 1;
      }
    };
    await Promise.all(objects.map((object) => limit(removeOne, object)));
    return removed;
  }

  let objects = 0;
  let bytes = 0;
  for (let page = await pageOf(db, ""); page.length > 0 && !isHopeless(); ) {
    const sizes = await forgetObjects(db, await remove(page));
    signal.throwIfAborted();
    objects += sizes.length;
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    page = await pageOf(db, page.at(-1)?.key ?? "");
  }
  const reason = failures.length === 0 ? null : reasonOf(failures[0]);
  return { objects, bytes, failed: failures.length, reason, warning };
}

interface Unowned extends PlacedObject {
  /** Whether the other location may have a copy of the object. */
  readonly isMoving: boolean;
}

function placesOf(storage: Storage, object: Unowned): readonly string[] {
  const { key, isPrivate, isMoving } = object;
  const other = { key, isPrivate: !isPrivate };
  const places = (isMoving ? [object, other] : [object]).map((one) => placeOf(storage, one));
  return [...new Set(places)];
}

function pageOf(db: Database, after: string): Promise<readonly Unowned[]> {
  return db.read<Unowned>({
    text: `select key, is_private as "isPrivate", is_moving as "isMoving"
     from service.stored_objects
     where upload_key is null and unused_since is null and key > $1
     order by key
     limit 200`,
    values: [after],
    cost: "scan",
    isVaried: true,
  });
}
