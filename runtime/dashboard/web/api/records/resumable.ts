import { now } from "../../text/dates.js";
import { NetworkError } from "../client/errors.js";
import { rest } from "../client/rest.js";

export interface FileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob;
  /** Reports the number of bytes of the body sent so far. */
  readonly onProgress?: (loaded: number) => void;
  readonly signal?: AbortSignal;
}

/** Size in bytes up to which files are sent in one request, which is simpler. */
export const leastResumable = 8 * 1024 * 1024;

/** Maximum number of bytes sent per request. */
const partSize = 32 * 1024 * 1024;

/** Milliseconds without progress after which an upload fails, and the longest pause between attempts. */
const patience = 300_000;
const longestPause = 10_000;

interface Resumable {
  readonly path: string;
  readonly file: File;
  /** Receives the fraction sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

type Send = (request: FileRequest) => Promise<Response>;

/**
 * Sends a file by the tus protocol, and continues from the last received byte after interruptions and restarts. The
 * last response contains the file's details or is a refusal.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the progress of an upload
export async function sendResumable(
  { path, file, onProgress, signal }: Resumable,
  send: Send,
): Promise<Response> {
  let address = "";
  let offset = 0;
  let movedAt = now();
  let pause = 250;
  let failure: Response | NetworkError | null = null;
  const version = { "Tus-Resumable": "1.0.0" };

  /** Returns the last failure if there has been no progress for too long; otherwise null. */
  function failedFor(): Response | null {
    if (now() - movedAt <= patience) return null;
    if (failure instanceof NetworkError) throw failure;
    return failure;
  }

  /** Sends a request; returns null if it should be retried after a pause. */
  async function attempt(request: Omit<FileRequest, "signal">): Promise<Response | null> {
    const answer = await send({ ...request, signal }).catch((error: unknown) => {
      if (error instanceof NetworkError) return error;
      throw error;
    });
    const isAnswer = !(answer instanceof NetworkError);
    if (isAnswer && answer.status !== 409 && answer.status < 500) return answer;
    failure = answer;
    // A failed request with a body may still have stored bytes: only HEAD shows whether it did.
    if (request.body !== undefined) movedAt = now();
    const last = failedFor();
    if (last !== null) return last;
    await rest(pause, signal);
    pause = Math.min(pause * 2, longestPause);
    return null;
  }

  function move(answer: Response): void {
    const reached = Number(answer.headers.get("upload-offset"));
    if (reached > offset) {
      movedAt = now();
      pause = 250;
    }
    offset = reached;
  }

  async function addPart(): Promise<Response | null> {
    const body = file.slice(offset, offset + partSize);
    const before = movedAt;
    const added = await attempt({
      method: "PATCH",
      path: address,
      headers: {
        ...version,
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": String(offset),
      },
      body,
      onProgress: (loaded) => onProgress(Math.min(1, (offset + loaded) / file.size)),
    });
    let found = added;
    while (found === null) {
      found = await attempt({ method: "HEAD", path: address, headers: version });
    }
    if (!found.ok || found.headers.get("upload-offset") === null) return found;
    if (added?.status === 200) return added;
    if (added === null) movedAt = before;
    move(found);
    return added === null ? failedFor() : null;
  }

  try {
    while (address === "") {
      const begun = await attempt({
        method: "POST",
        path,
        headers: {
          ...version,
          "Upload-Length": String(file.size),
          "Upload-Metadata": `name ${base64(file.name)}`,
        },
      });
      if (begun === null) continue;
      const location = begun.headers.get("location");
      if (!begun.ok || location === null) return begun;
      address = location;
    }
    for (;;) {
      const last = await addPart();
      if (last !== null) return last;
    }
  } catch (error) {
    // Otherwise the server would store the upload for a day.
    if (signal.aborted && address !== "") {
      await send({ method: "DELETE", path: address, headers: version }).catch(() => {});
    }
    throw error;
  }
}

/** Encodes the UTF-8 of the text. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
