import { waitForSession, whileOurs } from "../client/client.js";
import { ApiError, NetworkError } from "../client/errors.js";
import type { FileDetails } from "../client/types.js";

export interface Upload {
  readonly resource: string;
  readonly field: string;
  readonly file: File;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Concurrent uploads; further files wait for their turn. */
const maxAtOnce = 3;
let underWay = 0;
const queue: (() => void)[] = [];

/** Uploads a file as soon as fewer than the maximum are under way. */
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

/** Uploads a file by `XMLHttpRequest`, the only one that reports progress. */
async function upload(request: Upload): Promise<FileDetails> {
  await whileOurs();
  const answer = await sendFile(request);
  await whileOurs();
  const challenge = answer.headers.get("www-authenticate");
  const isBack = await waitForSession(answer.status, challenge);
  const response = isBack ? await sendFile(request) : answer;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ApiError(response, body);
  return body as FileDetails;
}

function sendFile({ resource, field, file, onProgress, signal }: Upload): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const path = `/api/_service/uploads/${resource}/${field}?name=${encodeURIComponent(file.name)}`;
    request.open("PUT", path);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Service-Dashboard", "1");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new NetworkError("the upload broke off"));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    // Its turn has come, before any of it has arrived.
    onProgress(0);
    request.send(file);
  });
}

/** The answer in the shape of `fetch`, so that refusals are read in one place. */
function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ["www-authenticate", "retry-after", "x-request-id"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
