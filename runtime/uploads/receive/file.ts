import { acceptsType } from "../inspect/accept.js";
import { type FileDetails, objectUrl } from "../objects/details.js";
import { objectHeaders } from "../objects/headers.js";
import { keepOrDiscard } from "../objects/keep.js";
import { newFileKey } from "../objects/key.js";
import { placeOf } from "../objects/place.js";
import type { UploadServices } from "../objects/services.js";
import { type Arrival, refuseKind } from "./arrival.js";
import { recordUpload } from "./store.js";

/** Stores a file unchanged. `accept` lists the media types that the field takes, null means any. */
export async function receiveFile(
  services: UploadServices,
  arrival: Arrival,
  accept: readonly string[] | null,
): Promise<FileDetails> {
  const { config, db, clock, storage } = services;
  const { name, isPrivate, inspected } = arrival;
  const { mime } = inspected;
  if (!acceptsType(accept, mime, name)) refuseKind(mime);
  const key = newFileKey(arrival, clock.now());
  return keepOrDiscard(services, { keys: [key], isPrivate }, async () => {
    const { bytes, size } = countBytes(inspected.bytes);
    const headers = objectHeaders({ mime, name, optimised: false }, isPrivate);
    await storage.write(placeOf(storage, { key, isPrivate }), bytes, headers);
    const details: FileDetails = {
      key,
      url: objectUrl(config, { key, isPrivate }),
      name,
      mime,
      size: size(),
      width: null,
      height: null,
      optimised: false,
      renditions: {},
    };
    const objects = [{ key, size: size() }];
    const now = clock.now();
    await recordUpload(db, { ...arrival, details, profile: null, objects, now });
    return details;
  });
}

/** Passes the bytes on and counts them. */
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
