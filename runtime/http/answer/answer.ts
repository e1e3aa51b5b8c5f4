import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isUnavailable } from "../../db/index.js";
import { Refusal, refusals } from "../../errors/index.js";
import type { Log } from "../../own-code/index.js";
import type { Answer, LongText } from "../route/route.js";
import { hasRoomFor, largeAnswer, sendParts } from "./large.js";
import { setLaterHeaders } from "./later-headers.js";
import { endAfterBody } from "./leftover.js";
import { makeInTurn } from "./long.js";

/** Seconds after which a client may retry on an unavailable server. */
const retryAfter = 2;

/** Headers of every response: no type sniffing, no scripts, no caching. */
export const safeHeaders: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["referrer-policy", "no-referrer"],
  ["cache-control", "no-store"],
];

/** Sends a response without a stream: status, headers, and its JSON text if it has one. */
export function send(response: ServerResponse, answer: Answer): void {
  if (isAnswered(response)) return;
  const { json } = answer;
  if (json !== null && json.length > largeAnswer) {
    sendLarge(response, answer, json);
    return;
  }
  setHead(response, answer);
  if (json === null) endWith(response, null);
  else {
    const length = Buffer.byteLength(json);
    setJsonHead(response, length);
    // ASCII has the same bytes in Latin-1, which Node.js copies instead of encoding.
    endWith(response, json, length === json.length ? "latin1" : "utf8");
  }
}

function endWith(
  response: ServerResponse,
  json: string | null,
  encoding: BufferEncoding = "utf8",
): void {
  if (response.req.complete) {
    response.end(json, encoding);
    return;
  }
  if (json === null) response.flushHeaders();
  else response.write(json);
  endAfterBody(response);
}

function sendLarge(response: ServerResponse, answer: Answer, json: string): void {
  // Only a read is refused: a write has happened even if its record cannot be sent.
  const isRead = response.req.method === "GET" || answer.isRead === true;
  if (isRead && !hasRoomFor(json.length)) {
    send(response, refusalAnswer(new Refusal("UNAVAILABLE", { retryAfter })));
    return;
  }
  sendTexts(response, answer, [json]);
}

/** Sends a response whose text is made once it reaches the head of the queue; 503 if that takes too long. */
export async function sendLong(
  response: ServerResponse,
  answer: Answer & { readonly long: LongText },
  log: Log,
): Promise<void> {
  try {
    const texts = await makeInTurn(response, answer.long);
    if (!isAnswered(response)) sendTexts(response, answer, texts);
  } catch (error) {
    sendError(response, error, log);
  }
}

function sendTexts(response: ServerResponse, answer: Answer, texts: string[]): void {
  let length = 0;
  for (const text of texts) length += Buffer.byteLength(text);
  setHead(response, answer);
  setJsonHead(response, length);
  if (response.req.method === "HEAD") response.end();
  else sendParts(response, texts, length);
}

/** Sends the head of a response and passes it to the function that writes the rest. */
export function sendLive(
  response: ServerResponse,
  answer: Answer,
  live: (response: ServerResponse) => void,
): void {
  if (isAnswered(response)) return;
  setHead(response, answer);
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.flushHeaders();
  live(response);
}

/** Sends a final response and ends the connection without waiting for the rest of the request. */
export function sendLast(response: ServerResponse, answer: Answer): void {
  if (isAnswered(response)) return;
  setHead(response, answer);
  response.setHeader("connection", "close");
  const { json } = answer;
  if (json !== null) setJsonHead(response, Buffer.byteLength(json));
  response.end(json);
}

/** Whether a response was already sent, for example because the request was malformed or too slow. */
function isAnswered(response: ServerResponse): boolean {
  return response.headersSent || response.destroyed;
}

/** `length` is in bytes. */
function setJsonHead(response: ServerResponse, length: number): void {
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.setHeader("content-length", length);
}

/**
 * Streams the bytes of a response at the speed of the client. If they end early, the connection is closed, so that no
 * client mistakes a part for the whole.
 */
export async function sendStream(
  response: ServerResponse,
  answer: Answer & { readonly stream: Readable },
  log: Log,
): Promise<void> {
  const { stream, headers } = answer;
  if (isAnswered(response)) {
    stream.destroy();
    return;
  }
  setHead(response, answer);
  const length = Number(headers?.["content-length"]);
  try {
    await pipeline(stream, (bytes: AsyncIterable<Uint8Array>) => exactly(bytes, length), response);
  } catch (error) {
    // A client that disconnects is not an error.
    if (!isPrematureClose(error)) log.error({ err: error }, "response cut short");
  }
}

/**
 * Yields the bytes if their number matches the announced length; any other number would corrupt the next response on
 * the connection. (Node's own check throws where the error cannot be caught.)
 */
async function* exactly(
  bytes: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`The body does not have the announced ${length} bytes`);
}

function setHead(response: ServerResponse, { status, headers }: Answer): void {
  response.statusCode = status;
  setLaterHeaders(response);
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

export function sendError(response: ServerResponse, error: unknown, log: Log): void {
  const answer = errorAnswer(error, log, response.getHeader("x-request-id"));
  if (response.headersSent) response.destroy();
  else send(response, answer);
}

/**
 * Converts an error to a response; no other code does. Refusals follow the table of errors, and an unavailable database
 * is 503. Anything else is a bug, which is logged in full and becomes a bare 500.
 */
export function errorAnswer(error: unknown, log: Log, requestId?: unknown): Answer {
  if (error instanceof Refusal) return refusalAnswer(error);
  if (isUnavailable(error)) {
    log.warn({ requestId, err: error }, "database unavailable");
    return refusalAnswer(new Refusal("UNAVAILABLE", { retryAfter }));
  }
  const status = clientStatus(error);
  if (status !== null) return body(status, { error: STATUS_CODES[status] ?? "Bad request" });
  log.error({ requestId, err: error }, "request failed");
  return body(500, { error: "Internal server error" });
}

function refusalAnswer({ code, message, status, details }: Refusal): Answer {
  const { index, issues, field, record } = details;
  const headers: Record<string, string> = { ...details.headers };
  if (details.retryAfter !== undefined) headers["retry-after"] = String(details.retryAfter);
  return {
    ...body(status, {
      error: message,
      code: refusals[code].coded ? code : undefined,
      index,
      issues,
      field,
      resource: record?.resource,
      id: record?.id,
    }),
    headers,
  };
}

function body(status: number, value: object): Answer {
  return { status, json: JSON.stringify(value) };
}

/** Returns the status of an Express-style error (`status` 4xx) thrown by app routes. */
function clientStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !("status" in error)) return null;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 500 ? status : null;
}
