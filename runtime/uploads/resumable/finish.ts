import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { type FileDetails, unchangedDetails } from "../objects/details.js";
import { placeOf } from "../objects/place.js";
import type { UploadServices } from "../objects/services.js";
import { forgetObjects } from "../objects/store.js";
import { receiveImage } from "../receive/image.js";
import type { UploadTarget } from "../receive/receive.js";
import { recordUpload } from "../receive/store.js";
import { StorageError } from "../storage/storage.js";
import { growingOf, headersAs } from "./add-bytes.js";
import { recordDone } from "./progress.js";
import { announceAgain, type Resumable } from "./store.js";
import type { Turn } from "./turn.js";

interface Finished {
  readonly target: UploadTarget;
  readonly turn: Turn;
  /** The upload, with all bytes stored. */
  readonly upload: Resumable;
  readonly sender: string;
  readonly mime: string;
}

/**
 * Creates the file of a complete upload. Every step may be repeated: after an interruption the bytes stay, and the next
 * request starts over.
 */
export async function finish(services: UploadServices, finished: Finished): Promise<FileDetails> {
  const { target, upload, mime } = finished;
  const { db, storage } = services;
  await announceAgain(db, upload);
  const headers = headersAs(mime, upload, target.takes);
  if (!(await storage.growing.finish(growingOf(services, upload), headers))) {
    throw new StorageError(`${upload.key} has lost its bytes`);
  }
  const details = await (target.takes.kind === "image"
    ? finishImage(services, finished, target.takes.profile)
    : finishFile(services, finished));
  await storage.growing.removeParts(growingOf(services, upload));
  return details;
}

async function finishFile(
  services: UploadServices,
  { turn, upload, sender, mime }: Finished,
): Promise<FileDetails> {
  const { config, db, clock } = services;
  const { key, name, length: size, resource, field } = upload;
  const details = unchangedDetails(config, upload, { name, mime, size });
  await db.transaction(async (tx) => {
    const now = clock.now();
    const objects = [{ key, size }];
    const made = { resource, field, accountId: sender, details, profile: null, objects, now };
    await recordUpload(tx, made);
    await recordOrEnd(tx, turn, details);
  });
  return details;
}

/** Creates a picture from the received bytes, then removes them. */
async function finishImage(
  services: UploadServices,
  { target, turn, upload, sender, mime }: Finished,
  profile: string,
): Promise<FileDetails> {
  const { db, storage } = services;
  const place = placeOf(storage, upload);
  const bytes = await storage.read(place);
  if (bytes === null) throw new StorageError(`${upload.key} vanished while it was stored`);
  const { name, resource, field } = upload;
  const inspected = { mime, bytes, mimeAtEnd: () => mime };
  const isPrivate = target.takes.isPrivate ?? false;
  const arrival = { resource, field, name, accountId: sender, isPrivate, inspected };
  const details = await receiveImage(services, arrival, profile);
  await recordOrEnd(db, turn, details);
  await storage.remove(place);
  await forgetObjects(db, [upload.key]);
  return details;
}

async function recordOrEnd(db: Queryable, turn: Turn, details: FileDetails): Promise<void> {
  const held = { id: turn.upload.id, turn: turn.turn };
  if (!(await recordDone(db, held, details))) refuse("OVERTAKEN");
}
