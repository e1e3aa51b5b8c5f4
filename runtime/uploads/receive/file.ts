import { type FileDetails, unchangedDetails } from "../objects/details.js";
import { objectHeaders, type Serving } from "../objects/headers.js";
import { keepOrDiscard } from "../objects/keep.js";
import { newFileKey } from "../objects/key.js";
import { placeOf } from "../objects/place.js";
import type { UploadServices } from "../objects/services.js";
import type { ObjectHeaders } from "../storage/headers.js";
import { type Storage, StorageError } from "../storage/storage.js";
import type { Arrival } from "./arrival.js";
import { recordUpload } from "./store.js";

/** Stores a file unchanged. */
export async function receiveFile(
  services: UploadServices,
  arrival: Arrival,
  { isAttachment }: Pick<Serving, "isAttachment">,
): Promise<FileDetails> {
  const { config, db, clock, storage } = services;
  const { name, isPrivate, inspected } = arrival;
  const key = newFileKey(arrival, clock.now());
  const place = placeOf(storage, { key, isPrivate });
  const headersOf = (mime: string) =>
    objectHeaders({ mime, name, optimised: false }, { isPrivate, isAttachment });
  return keepOrDiscard(services, { keys: [key], isPrivate }, async () => {
    const { bytes, size } = countBytes(inspected.bytes);
    await storage.write(place, bytes, headersOf(inspected.mime));
    const mime = inspected.mimeAtEnd();
    if (mime !== inspected.mime) await writeAgain(storage, place, headersOf(mime));
    const details = unchangedDetails(config, { key, isPrivate }, { name, mime, size: size() });
    const objects = [{ key, size: size() }];
    const now = clock.now();
    await recordUpload(db, { ...arrival, details, profile: null, objects, now });
    return details;
  });
}

/** Rewrites a stored object with different headers: few storages can change headers alone. */
async function writeAgain(storage: Storage, place: string, headers: ObjectHeaders): Promise<void> {
  const bytes = await storage.read(place);
  if (bytes === null) throw new StorageError(`${place} vanished while it was stored`);
  await storage.write(place, bytes, headers);
}

function countBytes(source: AsyncIterable<Uint8Array>) {
  let size = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      size += chunk.length;
      yield chunk;
    }
  }
  return { bytes: bytes(), size: () => size };
}
