import pLimit from "p-limit";
import type { Database } from "../../db/index.js";
import { withAddresses } from "../objects/addresses.js";
import { objectHeaders } from "../objects/headers.js";
import { type PlacedObject, placeOf } from "../objects/place.js";
import type { FieldPrivacy } from "../objects/private-files.js";
import type { StorageServices } from "../objects/services.js";
import {
  beginMove,
  endMove,
  type MisplacedObject,
  type MisplacedUpload,
  nextMisplaced,
  replaceDetails,
  turnTo,
} from "./store.js";

type MoveServices = Pick<StorageServices, "config" | "storage"> & { readonly db: Database };

/** Maximum number of uploads moved concurrently. */
const atOnce = 4;

/** Consecutive failures after which a run stops: the storage is unavailable, and each failure may take minutes. */
const patience = 10;

/**
 * Moves the objects of fields that have become private, or public, to their new location in the bucket. A run may be
 * interrupted at any point: each object stays readable, and the next run completes the move. Resolves with the number
 * of moved uploads. If some cannot be moved, it continues with the others, up to `patience` consecutive failures, and
 * then throws the first error.
 */
export async function moveFiles(
  services: MoveServices,
  fields: readonly FieldPrivacy[],
  signal: AbortSignal,
): Promise<number> {
  const limit = pLimit(atOnce);
  const failures: unknown[] = [];
  let failedInRow = 0;
  let moved = 0;

  async function tryToMove(upload: MisplacedUpload): Promise<void> {
    if (failedInRow >= patience || signal.aborted) return;
    try {
      await moveUpload(services, upload);
      moved += 1;
      failedInRow = 0;
    } catch (error) {
      failures.push(error);
      failedInRow += 1;
    }
  }

  let page = await nextMisplaced(services.db, fields, "");
  while (page.length > 0 && failedInRow < patience) {
    signal.throwIfAborted();
    await Promise.all(page.map((upload) => limit(tryToMove, upload)));
    page = await nextMisplaced(services.db, fields, page.at(-1)?.key ?? "");
  }
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return moved;
}

/**
 * Moves an upload. While its object may be in the private location, no response contains its URL in the bucket. The
 * move stays recorded from before the URLs change until it ends: if the field changes back meanwhile, the next run
 * finishes the move.
 */
async function moveUpload(services: MoveServices, upload: MisplacedUpload): Promise<void> {
  const { config, db } = services;
  const { details, isPrivate, objects } = upload;
  const changed = withAddresses(config, { details, isPrivate });
  const keys = objects.map(({ key }) => key);
  await beginMove(db, keys);
  if (isPrivate) await replaceDetails(db, details, changed);
  for (const object of objects) await moveObject(services, upload, object);
  if (!isPrivate) await replaceDetails(db, details, changed);
  await endMove(db, keys);
}

async function moveObject(
  { db, storage }: MoveServices,
  { details, isPrivate, isAttachment }: MisplacedUpload,
  object: MisplacedObject,
): Promise<void> {
  const { key } = object;
  const target: PlacedObject = { key, isPrivate };
  const source: PlacedObject = { key, isPrivate: !isPrivate };
  if (object.isPrivate !== isPrivate) {
    const bytes = await storage.read(placeOf(storage, source));
    // A missing object cannot be in the new location either.
    if (bytes !== null) {
      const headers = objectHeaders(details, { isPrivate, isAttachment });
      await storage.write(placeOf(storage, target), bytes, headers);
    }
    if (!(await turnTo(db, target))) {
      await storage.remove(placeOf(storage, target));
    }
  }
  await storage.remove(placeOf(storage, source));
}
