import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../../errors/index.js";
import { type Context, refuseEncoded } from "../../http/index.js";
import { inspect } from "../inspect/inspect.js";
import type { FileDetails } from "../objects/details.js";
import type { UploadServices } from "../objects/services.js";
import { usingStorage } from "../storage/available.js";
import type { UploadField } from "./fields.js";
import { receiveFile } from "./file.js";
import { receiveImage } from "./image.js";
import { limitBody, refuseTooLong } from "./limit.js";
import { readName } from "./name.js";

/** Where an upload goes, and what that place takes. */
export interface UploadTarget {
  readonly resource: string;
  readonly field: string;
  readonly takes: UploadField;
}

/**
 * Stores a request's body as a file of the target and makes it known. Refuses 415, 413, 422 in this order,
 * and 503 where the storage fails; where it is refused, or breaks off, nothing stays behind.
 */
export async function receive(
  { request, query, caller }: Context,
  services: UploadServices,
  { resource, field, takes }: UploadTarget,
): Promise<FileDetails> {
  const { accountId } = caller ?? refuse("UNAUTHENTICATED");
  const { maxBytes } = services.config.uploads;
  refuseEncoded(request);
  refuseForm(request);
  refuseTooLong(request, maxBytes);
  const name = readName(query);
  if (takes.kind === "image") services.decoder.prepare();
  const body = limitBody(request, maxBytes);
  try {
    const contentType = request.headers["content-type"];
    const inspected = await inspect(body.bytes, { name, contentType });
    const arrival = { resource, field, name, accountId, inspected };
    return await usingStorage(services, () =>
      takes.kind === "image"
        ? receiveImage(services, arrival, takes.profile)
        : receiveFile(services, arrival, takes.accept),
    );
  } catch (error) {
    // Lets go of the request. Nothing waits for it: that could take until the client sends more.
    void body.bytes.return(undefined);
    if (isInvalid(error) && request.headers["content-length"] === undefined) await body.finish();
    throw error;
  }
}

/** 415 for what browsers and `curl -F` make of a file in a form: its parts would be stored with it. */
function refuseForm({ headers }: IncomingMessage): void {
  if (/^\s*multipart\/form-data\b/i.test(headers["content-type"] ?? "")) {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send the raw file as the body, not a form" });
  }
}

/** A body that is too long is told so, whatever else is wrong with it: 413 comes before 422. */
function isInvalid(error: unknown): boolean {
  return error instanceof Refusal && error.code === "INVALID";
}
