import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../../errors/index.js";
import { type Context, refuseEncoded, refusePart } from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import type { FileDetails } from "../objects/details.js";
import type { UploadField } from "../objects/fields.js";
import type { UploadServices } from "../objects/services.js";
import { receiveIntoField } from "./into-field.js";
import { limitBody, refuseTooLong } from "./limit.js";
import { readName, refuseOthers } from "./name.js";

/** The field of an upload, and which files it accepts. */
export interface UploadTarget {
  readonly resource: string;
  readonly field: string;
  readonly takes: UploadField;
}

/** Finds the field for a path and a caller. */
export type FindTarget = (
  caller: Caller | null,
  params: Readonly<Record<string, string>>,
) => UploadTarget;

/**
 * Stores a request's body as a file of the target and records the upload. Refuses with 400, 415, 413 and 422 in this
 * order, and with 503 if the storage fails. A refused or interrupted upload leaves nothing in the storage.
 */
export async function receive(
  { request, query, caller }: Context,
  services: UploadServices,
  { resource, field, takes }: UploadTarget,
): Promise<FileDetails> {
  const { accountId } = caller ?? refuse("UNAUTHENTICATED");
  const { maxBytes } = services.config.uploads;
  refusePart(request);
  refuseOthers(query);
  refuseEncoded(request);
  refuseForm(request);
  refuseTooLong(request, maxBytes);
  const name = readName(query);
  if (takes.kind === "image") services.decoder.prepare();
  const body = limitBody(request, maxBytes);
  try {
    const contentType = request.headers["content-type"];
    const sent = { resource, field, name, accountId, bytes: body.bytes, contentType };
    return await receiveIntoField(services, takes, sent);
  } catch (error) {
    // Not awaited, because that could take until the client sends more.
    void body.bytes.return(undefined);
    if (isInvalid(error) && request.headers["content-length"] === undefined) await body.finish();
    throw error;
  }
}

/** 415 for a multipart form, as browsers and `curl -F` send it: its boundaries would become part of the file. */
function refuseForm({ headers }: IncomingMessage): void {
  if (/^\s*multipart\/form-data\b/i.test(headers["content-type"] ?? "")) {
    refuse("UNSUPPORTED_MEDIA_TYPE", { error: "Send the raw file as the body, not a form" });
  }
}

/** Whether the file was refused with 422: if the body is also too long, 413 takes precedence. */
function isInvalid(error: unknown): boolean {
  return error instanceof Refusal && error.code === "INVALID";
}
