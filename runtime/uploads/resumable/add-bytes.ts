import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "../../errors/index.js";
import { textType, unknownType } from "../inspect/inspect.js";
import { openingLength } from "../inspect/opening.js";
import type { UploadField } from "../objects/fields.js";
import { objectHeaders } from "../objects/headers.js";
import { placeOf } from "../objects/place.js";
import { takesAnything } from "../objects/private-files.js";
import type { UploadServices } from "../objects/services.js";
import type { UploadTarget } from "../receive/receive.js";
import type { Growing, Kept } from "../storage/growing/growing.js";
import type { ObjectHeaders } from "../storage/headers.js";
import { type Judged, newJudge } from "./judge.js";
import { recordProgress } from "./progress.js";
import type { Resumable } from "./store.js";
import type { Turn } from "./turn.js";

/** The progress of an upload. */
export interface Reached {
  readonly kept: Kept;
  readonly expiresAt: Date;
  /** The type of the complete file; null until it is complete. */
  readonly mime: string | null;
}

/** The upload as a file in the storage to which bytes can be added. */
export function growingOf(
  { storage }: Pick<UploadServices, "storage">,
  upload: Resumable,
  kept: Kept = { size: upload.size, parts: upload.parts },
): Growing {
  return { place: placeOf(storage, upload), length: upload.length, kept };
}

/**
 * Adds a request's body to the upload of the turn. However the request ends, the bytes received are stored if possible
 * before an error is thrown. 422 if the bytes are refused, 413 if there are too many.
 */
export async function addBytes(
  services: UploadServices,
  { takes }: UploadTarget,
  { turn, request }: { readonly turn: Turn; readonly request: IncomingMessage },
): Promise<Reached> {
  const { db, config } = services;
  const { upload } = turn;
  if (upload.size === upload.length && upload.judged !== null) return reachedBefore(upload);
  const hours = config.uploads.resumable?.hours ?? 0;
  const claims = { name: upload.name, contentType: upload.contentType ?? undefined };
  const judge = newJudge(takes, claims, upload.judged);
  const late = new AbortController();
  turn.signal.addEventListener("abort", () => setTimeout(() => late.abort(), grace).unref());
  const file = await services.storage.growing.open(growingOf(services, upload), {
    headers: () => firstHeaders(upload, takes, judge.judged()),
    signal: late.signal,
  });
  let { size } = upload;
  let reached: Reached = {
    kept: { size, parts: upload.parts },
    expiresAt: upload.expiresAt,
    mime: null,
  };

  async function record(): Promise<void> {
    const mime = size === upload.length ? await judge.end() : null;
    turn.assertHeld();
    const kept = await file.keep();
    const sentAt = performance.now();
    const progress = { kept, judged: judge.judged(), hours };
    const expiresAt = await recordProgress(db, { id: upload.id, turn: turn.turn }, progress);
    if (expiresAt === null) return refuse("OVERTAKEN");
    turn.noteAlive(sentAt);
    reached = { kept, expiresAt, mime };
    await file.tidy();
  }

  async function take(chunk: Uint8Array): Promise<void> {
    if (size + chunk.length > upload.length) refuseMore(upload.length);
    for (let rest = chunk; rest.length > 0; ) {
      const room = file.room();
      const next = rest.subarray(0, room);
      rest = rest.subarray(next.length);
      await judge.next(next);
      turn.assertHeld();
      await file.add(next);
      size += next.length;
      if (next.length === room) await record();
    }
  }

  try {
    if (upload.judged === null && size > 0) await judge.next(await file.opening(openingLength));
    const interruption = await receive(request, turn.signal, take);
    if (size > reached.kept.size) await record();
    if (interruption !== null) throw interruption;
    return reached;
  } catch (error) {
    throw turn.signal.aborted ? new Refusal("OVERTAKEN") : error;
  } finally {
    await file.close();
  }
}

/** The progress if an earlier request received the last bytes, but did not create the file. */
function reachedBefore({ size, parts, expiresAt, judged }: Resumable): Reached {
  return { kept: { size, parts }, expiresAt, mime: judged?.mime ?? null };
}

/** Milliseconds that the storage has to store received bytes when the turn must end. */
const grace = 1_000;

/** 413: the upload has more bytes than its `Upload-Length`. */
export function refuseMore(length: number): never {
  return refuse("TOO_LARGE", {
    error: `The file is longer than its Upload-Length, ${length} bytes`,
  });
}

/**
 * The headers that a bucket gets with the first part. If a field accepts any kind of file, apparent text may later turn
 * out to be binary.
 */
function firstHeaders(upload: Resumable, takes: UploadField, judged: Judged | null): ObjectHeaders {
  const isCertain = judged !== null && !(isDownload(takes) && judged.mime === textType);
  return headersAs(isCertain ? judged.mime : unknownType, upload, takes);
}

/** The headers for a file of this type. */
export function headersAs(
  mime: string,
  { name, isPrivate }: Resumable,
  takes: UploadField,
): ObjectHeaders {
  const isAttachment = isDownload(takes);
  return objectHeaders({ mime, name, optimised: false }, { isPrivate, isAttachment });
}

function isDownload(takes: UploadField): boolean {
  return takes.kind === "image" || takesAnything(takes);
}

/**
 * Reads the body to its end, or until the turn must end or the client disconnects. Returns that interruption, otherwise
 * null; throws other errors.
 */
async function receive(
  request: IncomingMessage,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<Refusal | null> {
  // The request must outlive its body: if the body is refused, the server discards the rest.
  const chunks = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  try {
    for (;;) {
      // After the client has disconnected, even a complete body can no longer be read.
      const next = chunks.next().catch((error: unknown) => {
        if (request.destroyed) return "gone" as const;
        throw error;
      });
      const came = await unlessEnded(next, signal);
      if (came === "ended" || signal.aborted) return new Refusal("OVERTAKEN");
      if (came === "gone") return new Refusal("BAD_REQUEST");
      if (came.done === true) return null;
      await take(came.value as Uint8Array);
    }
  } finally {
    // Not awaited, because that could take until the client sends more.
    void chunks.return?.(undefined);
  }
}

/**
 * The result of the work, or `ended` once the signal is aborted. Calling `Promise.race` for each chunk with one promise
 * for the signal would keep every chunk in memory until the request ends.
 */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T | "ended"> {
  return new Promise((resolve, reject) => {
    const end = () => resolve("ended");
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    work.finally(() => signal.removeEventListener("abort", end)).then(resolve, reject);
  });
}
