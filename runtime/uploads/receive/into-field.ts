import type { Claims } from "../inspect/claims.js";
import { inspect, inspectAny, inspectPicture } from "../inspect/inspect.js";
import type { FileDetails } from "../objects/details.js";
import type { UploadField } from "../objects/fields.js";
import { takesAnything } from "../objects/private-files.js";
import type { UploadServices } from "../objects/services.js";
import { usingStorage } from "../storage/available.js";
import { type Arrival, refuseUnlessTaken } from "./arrival.js";
import { receiveFile } from "./file.js";
import { receiveImage } from "./image.js";

/** A file to be stored for a field, and the account that sent it. */
export interface Sent extends Omit<Arrival, "isPrivate" | "inspected"> {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly contentType: Claims["contentType"];
}

/**
 * Stores the file as its field requires. Refuses with 422 files that the field does not accept, and with 503 if the
 * storage fails.
 */
export async function receiveIntoField(
  services: UploadServices,
  takes: UploadField,
  { bytes, contentType, ...sent }: Sent,
): Promise<FileDetails> {
  const inspected = await inspectionFor(takes)(bytes, { name: sent.name, contentType });
  refuseUnlessTaken(takes, inspected.mime, sent.name);
  const arrival = { ...sent, isPrivate: takes.isPrivate ?? false, inspected };
  return usingStorage(services, () =>
    takes.kind === "image"
      ? receiveImage(services, arrival, takes.profile)
      : receiveFile(services, arrival, { isAttachment: takesAnything(takes) }),
  );
}

function inspectionFor(takes: UploadField): typeof inspect {
  if (takes.kind === "image") return inspectPicture;
  return takesAnything(takes) ? inspectAny : inspect;
}
