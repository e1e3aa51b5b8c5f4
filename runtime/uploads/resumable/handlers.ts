import { Refusal, refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { isUuid } from "../../values/uuid.js";
import type { UploadServices } from "../objects/services.js";
import { refuseSize } from "../receive/limit.js";
import type { UploadTarget } from "../receive/receive.js";
import { shownDetails } from "../sign/details.js";
import { goingOn } from "../storage/available.js";
import { addBytes, refuseMore } from "./add-bytes.js";
import { begin } from "./begin.js";
import { deleteUpload, refuseUpload } from "./discard.js";
import { finish } from "./finish.js";
import {
  announcedBytes,
  bringsBytes,
  expiryHeader,
  numberIn,
  readMetadata,
  refuseOtherCreation,
  refuseOtherVersion,
  requireVersion,
} from "./headers.js";
import { refuseHopeless } from "./promised.js";
import { findResumable, type Resumable, type Wanted } from "./store.js";
import { atRest, inTurn, type Turn } from "./turn.js";

type Handler = (
  services: UploadServices,
  target: UploadTarget,
  context: Context,
) => Promise<Answer>;

/** `POST`: begins an upload, optionally with some or all of its bytes. */
export const create: Handler = async (services, target, { request, caller }) => {
  const sender = caller?.accountId ?? refuse("UNAUTHENTICATED");
  requireVersion(request);
  const hasBytes = bringsBytes(request);
  refuseOtherCreation(request);
  const length = numberIn(request, "Upload-Length");
  const metadata = readMetadata(request);
  refuseLarge(services, target, length);
  if (announcedBytes(request) > length) refuseMore(length);
  const name = metadata.name();
  const { contentType } = metadata;
  if (length === 0) refuse("INVALID", { error: "The file is empty" });
  refuseHopeless(target.takes, { name, contentType: contentType ?? undefined });
  const { id, expiresAt } = await begin(services, target, {
    ...{ sender, length, name, contentType, metadata: metadata.text },
  });
  const location = `/api/_service/uploads/${target.resource}/${target.field}/resumable/${id}`;
  if (!hasBytes) {
    return { status: 201, json: null, headers: { location, ...expiryHeader(expiresAt) } };
  }
  try {
    const wanted = { id, sender, resource: target.resource, field: target.field };
    const answer = await inTurn(services, wanted, (turn) =>
      takeBytes(services, target, { turn, sender, request }),
    );
    return { ...answer, status: 201, headers: { ...answer.headers, location } };
  } catch (error) {
    // The client does not know the upload's URL.
    await deleteUpload(services, id);
    throw error;
  }
};

/** `PATCH`: adds bytes; the last ones complete the file, which is the response. */
export const add: Handler = async (services, target, context) => {
  const { request } = context;
  requireVersion(request);
  bringsBytes(request);
  const offset = numberIn(request, "Upload-Offset");
  const wanted = wantedOf(target, context);
  return inTurn(services, wanted, async (turn) => {
    const { upload } = turn;
    if (upload.state === "refused") throw refusalOf(upload);
    if (offset !== upload.size) {
      refuse("WRONG_OFFSET", { headers: { "upload-offset": String(upload.size) } });
    }
    if (announcedBytes(request) > upload.length - offset) refuseMore(upload.length);
    return takeBytes(services, target, { turn, sender: wanted.sender, request });
  });
};

/** `HEAD`: the offset from which to continue, once no request appends bytes; `GET`: the result. */
export const show: Handler = async (services, target, context) => {
  const { request } = context;
  const wanted = wantedOf(target, context);
  if (request.method === "HEAD") {
    refuseOtherVersion(request);
    const upload = await settled(services, target, { wanted, request });
    const { metadata, length, size, state } = upload;
    const headers = {
      "upload-offset": String(size),
      "upload-length": String(length),
      ...(metadata !== "" && { "upload-metadata": metadata }),
      ...(state === "open" && expiryHeader(upload.expiresAt)),
    };
    return { status: 200, json: null, headers };
  }
  const upload = (await findResumable(services.db, wanted)) ?? refuse("NOT_FOUND");
  const { state, size: offset, length, details, status, error } = upload;
  const shown = JSON.stringify({
    ...{ state, offset, length },
    ...(status !== null && { status, error }),
  });
  if (details === null) return { status: 200, json: shown };
  const file = shownDetails(services, target.takes, details);
  return { status: 200, json: `${shown.slice(0, -1)},"file":${file}}` };
};

/**
 * The upload once no request appends bytes. If it is complete, the file is created first, because clients consider it
 * stored when no bytes are missing.
 */
async function settled(
  services: UploadServices,
  target: UploadTarget,
  { wanted, request }: { readonly wanted: Wanted; readonly request: Context["request"] },
): Promise<Resumable> {
  const upload = await atRest(services.db, wanted);
  if (upload.state !== "open" || upload.size < upload.length) return upload;
  const { sender } = wanted;
  await inTurn(services, wanted, async (turn) => {
    if (turn.upload.state === "refused") return;
    await takeBytes(services, target, { turn, sender, request });
  }).catch((error: unknown) => {
    if (!isFinal(error)) throw error;
  });
  return (await findResumable(services.db, wanted)) ?? refuse("NOT_FOUND");
}

/** `DELETE`: cancels the upload; a completed file stays. */
export const remove: Handler = async (services, target, context) => {
  requireVersion(context.request);
  const wanted = wantedOf(target, context);
  return inTurn(services, wanted, async () => {
    await deleteUpload(services, wanted.id);
    return { status: 204, json: null };
  });
};

interface Taken {
  readonly turn: Turn;
  readonly sender: string;
  readonly request: Context["request"];
}

/** Appends the body to the upload of the turn, and creates its file once it is complete. */
async function takeBytes(
  services: UploadServices,
  target: UploadTarget,
  { turn, sender, request }: Taken,
): Promise<Answer> {
  const { upload } = turn;
  try {
    return await goingOn(services, async () => {
      if (upload.details !== null) {
        const json = shownDetails(services, target.takes, upload.details);
        return { status: 200, json, headers: offsetHeader(upload.length) };
      }
      const reached = await addBytes(services, target, { turn, request });
      const { kept, expiresAt, mime } = reached;
      if (mime === null) {
        const headers = { ...offsetHeader(kept.size), ...expiryHeader(expiresAt) };
        return { status: 204, json: null, headers };
      }
      const whole = { ...upload, ...kept };
      const details = await finish(services, { target, turn, upload: whole, sender, mime });
      const json = shownDetails(services, target.takes, details);
      return { status: 200, json, headers: offsetHeader(kept.size) };
    });
  } catch (error) {
    if (isFinal(error)) {
      await refuseUpload(services, turn, { status: error.status, error: error.message });
    }
    throw error;
  }
}

/** Whether different bytes could not complete the upload either: the file was refused, or is longer than announced. */
function isFinal(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === "INVALID" || error.code === "TOO_LARGE");
}

function refusalOf({ status, error }: Resumable): Refusal {
  return new Refusal(status === 413 ? "TOO_LARGE" : "INVALID", error === null ? {} : { error });
}

function offsetHeader(size: number): Readonly<Record<string, string>> {
  return { "upload-offset": String(size) };
}

/** The upload that the path and the caller identify; 404 for an invalid id. */
function wantedOf({ resource, field }: UploadTarget, { params, caller }: Context): Wanted {
  const { upload: id = "" } = params;
  const sender = caller?.accountId ?? refuse("UNAUTHENTICATED");
  return isUuid(id) ? { id, sender, resource, field } : refuse("NOT_FOUND");
}

function refuseLarge(
  { config: { uploads } }: UploadServices,
  { takes }: UploadTarget,
  length: number,
): void {
  const maxBytes = uploads.resumable?.maxBytes ?? 0;
  if (takes.kind === "image") {
    if (length > uploads.maxBytes) refuseSize(uploads.maxBytes);
  } else if (length > maxBytes) refuseSize(maxBytes, "uploads.resumable.max_bytes");
}
