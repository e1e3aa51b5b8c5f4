import {
  type NamedProfile,
  type ProcessedImage,
  processImage,
  profileOf,
} from "../image/process.js";
import type { Inspected } from "../inspect/inspect.js";
import { svgType } from "../inspect/text/svg.js";
import { type FileDetails, objectUrl } from "../objects/details.js";
import { keepOrDiscard } from "../objects/keep.js";
import { newImageKey } from "../objects/key.js";
import { asObjects, renditionDetails, renditionsOf, writePictures } from "../objects/pictures.js";
import type { UploadServices } from "../objects/services.js";
import type { Arrival } from "./arrival.js";
import { recordUpload } from "./store.js";

/** Stores the pictures that the profile defines; the original is discarded. */
export async function receiveImage(
  services: UploadServices,
  arrival: Arrival,
  profileName: string,
): Promise<FileDetails> {
  const { config, db, clock, storage } = services;
  const { name, isPrivate, inspected } = arrival;
  const profile = profileOf(config, profileName);
  const { main, renditions } = await processInSpool(services, inspected, profile);
  const key = newImageKey(arrival, clock.now());
  const placed = renditionsOf(key, renditions);
  const all = [{ key, picture: main }, ...placed];
  const keys = all.map((each) => each.key);
  return keepOrDiscard(services, { keys, isPrivate }, async () => {
    await writePictures(storage, all, arrival);
    const details: FileDetails = {
      key,
      url: objectUrl(config, { key, isPrivate }),
      name,
      mime: "image/webp",
      size: main.bytes.length,
      width: main.width,
      height: main.height,
      optimised: true,
      renditions: renditionDetails(config, placed, { isPrivate }),
    };
    const objects = asObjects(all);
    await recordUpload(db, { ...arrival, details, profile, objects, now: clock.now() });
    return details;
  });
}

/** Processes the picture from a file, so that queued pictures are on disk instead of in memory. */
async function processInSpool(
  { spool, config, decoder }: UploadServices,
  { bytes, mime }: Inspected,
  profile: NamedProfile,
): Promise<ProcessedImage> {
  const original = await spool.keep(bytes);
  try {
    return await processImage(original.path, profile, {
      maxDecodeMb: config.uploads.maxDecodeMb,
      decoder,
      isVector: mime === svgType,
    });
  } finally {
    await original.remove();
  }
}
