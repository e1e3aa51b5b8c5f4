import { originalTag } from "../../../../values/api/entity-tag.js";
import { now } from "../../text/dates.js";
import { ApiError, NetworkError } from "./errors.js";
import { repeated } from "./repeat.js";
import { commonHeaders } from "./viewing.js";

/** The timeout of a request, in milliseconds. */
const timeoutMs = 30_000;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The body, sent as JSON or as the bytes of a file. */
  readonly body?: object | Blob | undefined;
  /** Whether a 401 is returned like any other response, and opens no dialog. */
  readonly mayBeSignedOut?: boolean;
  /** Whether a 503 with a report is returned like any other response, and the request is not repeated. */
  readonly mayBeUnavailable?: boolean;
  /** The tag of the version that a write replaces. */
  readonly ifMatch?: string | undefined;
  /** The tag of the cached version. */
  readonly ifNoneMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface Answered<Body> {
  readonly body: Body;
  /** The tag as the API created it: proxies may change the header, but not the tags inside lists and batches. */
  readonly etag: string | null;
  /** Maximum size of an upload in bytes; sent with the resources. */
  readonly uploadLimit: number | null;
  /** Maximum size of a resumable upload in bytes; null if uploads are not resumable. */
  readonly resumableLimit: number | null;
  /** The position in the log of changes at the time of the read; only if requested. */
  readonly position: string | null;
  /** The parts of the app that the caller manages; sent with the resources. */
  readonly parts: readonly string[];
}

/** Resolves when the user has signed in again; rejects if the user cancels. */
export type SignInAgain = () => Promise<void>;

let signInAgain: SignInAgain | null = null;
let waiting: Promise<void> | null = null;

/** Sets the function that requests a new sign-in when a session has ended. */
export function onSessionEnd(ask: SignInAgain | null): void {
  signInAgain = ask;
}

let isOurs: () => boolean = () => true;

/**
 * Sends requests and accepts responses only while `check` returns true: the cookie may now belong to another account.
 * In that case, `check` leaves the page. The returned function removes the check.
 */
export function callWhile(check: () => boolean): () => void {
  isOurs = check;
  return () => {
    if (isOurs === check) isOurs = () => true;
  };
}

/** Waits until requests may be sent. Never resolves if the page is being left for another account. */
export function whileOurs(): Promise<void> {
  return isOurs() ? Promise.resolve() : new Promise(() => {});
}

/** Calls the API; throws an `ApiError` or a `NetworkError`. After a new sign-in, a waiting request is sent again. */
export async function call<Answer>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  return (await answered<Answer>(await respond(method, path, options), options)).body;
}

/** Like `call`, but also returns the ETag and the values of other headers. */
export async function callWhole<Answer>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answered<Answer>> {
  return answered<Answer>(await respond(method, path, options));
}

/** A conditional read; null if the record has not changed. */
export async function callIfChanged<Answer>(
  path: string,
  etag: string,
  signal?: AbortSignal,
): Promise<Answered<Answer> | null> {
  const response = await respond("GET", path, { ifNoneMatch: etag, signal });
  return response.status === 304 ? null : answered<Answer>(response);
}

/** Waits for a new sign-in if the response reports that the session has ended. Returns false for any other response. */
export async function waitForSession(status: number, challenge: string | null): Promise<boolean> {
  if (status !== 401 || !/^bearer/i.test(challenge ?? "") || signInAgain === null) return false;
  // One dialog for all waiting requests.
  waiting ??= signInAgain().finally(() => {
    waiting = null;
  });
  await waiting;
  return true;
}

async function respond(method: string, path: string, options: CallOptions): Promise<Response> {
  const once = () => send(method, path, options);
  const isRepeated = method === "GET" && options.mayBeUnavailable !== true;
  const ask = isRepeated ? () => repeated(once, options.signal) : once;
  const response = await ask();
  if (options.mayBeSignedOut === true) return response;
  const isBack = await waitForSession(response.status, response.headers.get("www-authenticate"));
  return isBack ? ask() : response;
}

/** Milliseconds by which the server's clock is ahead of the browser's. */
let ahead = 0;

/**
 * Notes the server's time. A `Date` header is truncated to seconds: the end of its second is used, so that no existing
 * record is later.
 */
function noteTime(date: string | null): void {
  const answeredAt = Date.parse(date ?? "");
  if (!Number.isNaN(answeredAt)) ahead = answeredAt + 999 - now();
}

/** Returns the current time by the server's clock; the browser's may be wrong by minutes. */
export function serverTime(): string {
  return new Date(now() + ahead).toISOString();
}

async function send(
  method: string,
  path: string,
  { body, signal, ifMatch, ifNoneMatch, idempotencyKey }: CallOptions,
): Promise<Response> {
  const isFile = body instanceof Blob;
  const late = AbortSignal.timeout(isFile ? timeoutMs * 10 : timeoutMs);
  await whileOurs();
  try {
    const response = await fetch(`/api${path}`, {
      method,
      // Otherwise the response would come from the browser's cache instead of the API.
      ...(ifNoneMatch === undefined ? {} : { cache: "no-store" as const }),
      headers: {
        ...commonHeaders(),
        ...(body === undefined || isFile ? {} : { "Content-Type": "application/json" }),
        ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch }),
        ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    await whileOurs();
    noteTime(response.headers.get("date"));
    return response;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new NetworkError("no answer", { cause: error });
  }
}

/** Opens a stream of events after a position, or after the current one (null). It has no timeout. */
export async function openEvents(
  path: string,
  signal: AbortSignal,
  after: string | null,
): Promise<Response> {
  await whileOurs();
  return fetch(`/api${path}`, {
    cache: "no-store",
    headers: {
      ...commonHeaders(),
      Accept: "text/event-stream",
      ...(after === null ? {} : { "Last-Event-ID": after }),
    },
    signal,
  });
}

async function answered<Body>(
  response: Response,
  { mayBeUnavailable }: CallOptions = {},
): Promise<Answered<Body>> {
  const body = await bodyOf(response);
  const isAnswer = response.ok || (mayBeUnavailable === true && isReport(response, body));
  if (!isAnswer) throw new ApiError(response, body);
  const tag = response.headers.get("etag");
  const limit = /max-size=(\d+)/.exec(response.headers.get("upload-limit") ?? "")?.[1];
  const resumable = response.headers.get("tus-max-size");
  return {
    body: body as Body,
    resumableLimit: resumable === null ? null : Number(resumable),
    etag: tag === null ? null : originalTag(tag),
    position: response.headers.get("changes-position"),
    uploadLimit: limit === undefined ? null : Number(limit),
    parts: response.headers.get("service-parts")?.split(", ") ?? [],
  };
}

/** Whether a response is a report and not, for example, a proxy's refusal. */
function isReport({ status }: Response, body: unknown): boolean {
  return status === 503 && typeof body === "object" && body !== null && !("error" in body);
}

/** Whether a response is a report of the API and not, for example, a proxy's error. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => {
    throw new NetworkError("the response was interrupted");
  });
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
