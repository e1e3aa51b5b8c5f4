import { waitForSession, whileOurs } from "../client/client.js";
import { ApiError, NetworkError } from "../client/errors.js";
import type { FileDetails } from "../client/types.js";
import { commonHeaders } from "../client/viewing.js";
import { type FileRequest, sendResumable } from "./resumable.js";

export interface Upload {
  readonly resource: string;
  readonly field: string;
  readonly file: File;
  /** Whether the upload can be resumed after an interruption. */
  readonly isResumable: boolean;
  /** Receives the fraction sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Maximum number of concurrent uploads; further files are queued. */
const maxAtOnce = 3;
let underWay = 0;
const queue: (() => void)[] = [];

/** Uploads a file once fewer than the maximum are in progress. */
export async function uploadInTurn(request: Upload): Promise<FileDetails> {
  if (underWay >= maxAtOnce) await new Promise<void>((resolve) => queue.push(resolve));
  underWay += 1;
  try {
    if (request.signal.aborted) throw request.signal.reason;
    return await upload(request);
  } finally {
    underWay -= 1;
    queue.shift()?.();
  }
}

async function upload(request: Upload): Promise<FileDetails> {
  const { resource, field, file, onProgress, signal, isResumable } = request;
  const path = `/api/_service/uploads/${resource}/${field}`;
  // Reports that the upload begins.
  onProgress(0);
  const response = isResumable
    ? await sendResumable({ path: `${path}/resumable`, file, onProgress, signal }, sent)
    : await sent({
        method: "PUT",
        path: `${path}?name=${encodeURIComponent(file.name)}`,
        headers: { "Content-Type": "application/octet-stream" },
        body: file,
        onProgress: (loaded) => onProgress(loaded / file.size),
        signal,
      });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ApiError(response, body);
  return body as FileDetails;
}

/** Sends a request, and resends it after a new sign-in. */
async function sent(request: FileRequest): Promise<Response> {
  await whileOurs();
  const answer = await send(request);
  await whileOurs();
  const challenge = answer.headers.get("www-authenticate");
  return (await waitForSession(answer.status, challenge)) ? send(request) : answer;
}

/** Uses `XMLHttpRequest`, because `fetch` does not report progress. */
function send({ method, path, headers, body, onProgress, signal }: FileRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [name, value] of Object.entries({ ...commonHeaders(), ...headers })) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new NetworkError("the upload was interrupted"));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body ?? null);
  });
}

/** Converts the response to a `Response`, so that all refusals are read by the same code. */
function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  const { status, responseText } = request;
  return new Response(status === 204 ? null : responseText, { status, headers });
}

const passedHeaders = [
  "www-authenticate",
  "retry-after",
  "x-request-id",
  "location",
  "upload-offset",
];
