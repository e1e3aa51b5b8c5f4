import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { endAfterBody } from "../../http/index.js";
import { type CookieOptions, setCookie } from "../session/cookie.js";
import { maxSignInAnswer, takeToken } from "../session/sign-in.js";
import { type AnswerKind, answerHeaders } from "./headers.js";
import { refuse } from "./refuse.js";

/**
 * Streams a response. If the response is cut off, the connection is destroyed, so that the client does not consider it
 * complete.
 */
export async function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  kind: AnswerKind,
): Promise<void> {
  if (!begin(answer, response, answerHeaders(answer, kind))) return;
  try {
    await pipeline(answer, response, { end: false });
    finish(response);
  } catch {
    response.destroy();
  }
}

/** Forwards the response of a sign-in, with its token moved into the cookie. */
export async function passSignIn(
  answer: IncomingMessage,
  response: ServerResponse,
  options: CookieOptions,
): Promise<void> {
  const body = isReadable(answer) ? await wholeBody(answer) : null;
  const taken = body === null ? null : takeToken(body);
  if (body === null || taken === null || taken.kind === "broken") {
    answer.destroy();
    refuse(response, 502);
    return;
  }
  const isSignedIn = taken.kind === "signed-in";
  if (isSignedIn) response.setHeader("set-cookie", setCookie(taken.token, options));
  const text = isSignedIn ? taken.body : body;
  const { etag: _etag, ...headers } = answerHeaders(answer);
  if (!begin(answer, response, { ...headers, "content-length": text.length })) return;
  response.write(text);
  finish(response);
}

/** Ends a response. An early response waits for the rest of its request; otherwise a reset would discard it. */
function finish(response: ServerResponse): void {
  if (response.req.complete) response.end();
  else endAfterBody(response);
}

/**
 * Whether a response is readable: false if it is compressed although that was not requested, because it could hide a
 * token.
 */
function isReadable({ headers }: IncomingMessage): boolean {
  return /^(?:identity)?$/i.test(headers["content-encoding"] ?? "");
}

/** Returns the entire body; null if it is cut off, or larger than any response of a sign-in. */
async function wholeBody(answer: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of answer) {
      size += part.length;
      if (size > maxSignInAnswer) return null;
      parts.push(part);
    }
  } catch {
    return null;
  }
  return answer.complete ? Buffer.concat(parts) : null;
}

/** Writes the head. Returns false if the browser has disconnected or the head is invalid. */
function begin(
  answer: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
): boolean {
  if (response.headersSent || response.destroyed) {
    answer.destroy();
    return false;
  }
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage);
    return true;
  } catch {
    // A header contains forbidden bytes.
    answer.destroy();
    for (const name of Object.keys(headers)) response.removeHeader(name);
    refuse(response, 502);
    return false;
  }
}
