import { randomBytes } from "node:crypto";
import { Refusal } from "../../errors/index.js";
import { makeRenditions, type ProcessedImage } from "../image/process.js";
import { keepOrDiscard } from "../objects/keep.js";
import { asObjects, renditionDetails, renditionsOf, writePictures } from "../objects/pictures.js";
import type { StorageServices } from "../objects/services.js";
import type { SpooledFile } from "../storage/spool.js";
import { StorageError } from "../storage/storage.js";
import { type Outdated, replaceRenditions } from "./store.js";

/**
 * The result for one picture: `superseded` where it was deleted or reprocessed concurrently, `missing` where it is
 * not in the storage, `unreadable` where the object is not a whole picture.
 */
export type Outcome = "done" | "superseded" | "missing" | "unreadable";

class Superseded extends Error {}

/**
 * Makes a picture's renditions again, under new keys: browsers may cache what was served under a key for a
 * year. If this is cut short, the previous renditions stay, and pruning removes the new ones.
 *
 * @throws {StorageError} where the storage fails.
 */
export async function reprocessPicture(
  services: StorageServices,
  upload: Outdated,
): Promise<Outcome> {
  const original = await fetchPicture(services, upload.key);
  if (original === null) return "missing";
  const made = await renditionsOrNull(original, upload, services.config.uploads.maxDecodeMb);
  if (made === null) return "unreadable";
  const version = randomBytes(4).toString("hex");
  const placed = renditionsOf(upload.key, made, version);
  const keys = placed.map(({ key }) => key);
  try {
    await keepOrDiscard(services, keys, async () => {
      await writePictures(services.storage, placed, upload.details.name);
      const renditions = renditionDetails(services.config, placed);
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

/** A copy on disk; null where the storage has no such object. */
async function fetchPicture(
  { storage, spool }: StorageServices,
  key: string,
): Promise<SpooledFile | null> {
  const stream = await storage.read(key);
  if (stream === null) return null;
  try {
    return await spool.keep(stream);
  } catch (error) {
    if (error instanceof StorageError || !(error instanceof Error)) throw error;
    throw new StorageError(`${key} could not be read: ${error.message}`);
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
