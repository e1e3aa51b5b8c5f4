import { randomBytes } from "node:crypto";
import { Refusal } from "../../errors/index.js";
import { makeRenditions, type ProcessedImage } from "../image/process.js";
import { keepOrDiscard } from "../objects/keep.js";
import { asObjects, renditionDetails, renditionsOf, writePictures } from "../objects/pictures.js";
import { readObject } from "../objects/read.js";
import type { StorageServices } from "../objects/services.js";
import type { SpooledFile } from "../storage/spool.js";
import { StorageError } from "../storage/storage.js";
import { type Outdated, replaceRenditions } from "./store.js";

/**
 * The result for one picture: `superseded` if it was deleted or reprocessed concurrently, `missing` if it is not in the
 * storage, `unreadable` if the object is not a complete picture.
 */
export type Outcome = "done" | "superseded" | "missing" | "unreadable";

class Superseded extends Error {}

/**
 * Generates a picture's renditions again, with new keys, since browsers may cache a key for a year. If interrupted, the
 * previous renditions stay, and pruning removes the new ones.
 *
 * @throws {StorageError} if the storage fails.
 */
export async function reprocessPicture(
  services: StorageServices,
  upload: Outdated,
): Promise<Outcome> {
  const { isPrivate } = upload;
  const original = await fetchPicture(services, upload);
  if (original === null) return "missing";
  const made = await renditionsOrNull(original, upload, services.config.uploads.maxDecodeMb);
  if (made === null) return "unreadable";
  const version = randomBytes(4).toString("hex");
  const placed = renditionsOf(upload.key, made, version);
  const keys = placed.map(({ key }) => key);
  try {
    await keepOrDiscard(services, { keys, isPrivate }, async () => {
      const { name } = upload.details;
      await writePictures(services.storage, placed, { name, isPrivate });
      const renditions = renditionDetails(services.config, placed, { isPrivate });
      const objects = asObjects(placed);
      const now = services.clock.now();
      const isReplaced = await replaceRenditions(services.db, { upload, renditions, objects, now });
      if (!isReplaced) throw new Superseded();
    });
    return "done";
  } catch (error) {
    if (error instanceof Superseded) return "superseded";
    throw error;
  }
}

/** Copies a picture to the disk; null if the storage has no such object. */
async function fetchPicture(
  services: StorageServices,
  object: Outdated,
): Promise<SpooledFile | null> {
  const stream = await readObject(services, object);
  if (stream === null) return null;
  try {
    return await services.spool.keep(stream);
  } catch (error) {
    if (error instanceof StorageError || !(error instanceof Error)) throw error;
    throw new StorageError(`${object.key} could not be read: ${error.message}`);
  }
}

async function renditionsOrNull(
  original: SpooledFile,
  { profile }: Outdated,
  maxDecodeMb: number,
): Promise<ProcessedImage["renditions"] | null> {
  try {
    return await makeRenditions(original.path, profile, { maxDecodeMb });
  } catch (error) {
    if (error instanceof Refusal && error.code === "INVALID") return null;
    throw error;
  } finally {
    await original.remove();
  }
}
