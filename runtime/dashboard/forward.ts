import type {
  ClientRequest,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { endAfterBody } from "../http/index.js";
import { clearedCookie, cookieTokenOf, setCookie } from "./cookie.js";
import { answerHeaders, type DeviceSettings, requestHeaders } from "./headers.js";
import { refuse } from "./refuse.js";
import { isSignIn, isSignOut, maxSignInAnswer, takeToken } from "./sign-in.js";
import { framing, type Upstream } from "./upstream.js";

export interface ForwardSettings extends DeviceSettings {
  /** Whether browsers send the cookie over https only. */
  readonly isSecure: boolean;
  /** Milliseconds for the API to begin its answer after it has received the whole request. */
  readonly answerMs: number;
}

/** Milliseconds to connect to the API. */
const connectMs = 10_000;

/** Concurrent requests that wait for the API, or for a client that reads an answer; further ones get a 503. */
const maxUnderWay = 1_000;

export type Forward = (request: IncomingMessage, response: ServerResponse, path: string) => void;

/** Forwards requests to the API and streams its answers back. */
export function newForward(upstream: Upstream, settings: ForwardSettings): Forward {
  let underWay = 0;
  const { isSecure } = settings;

  return (request, response, path) => {
    if (underWay >= maxUnderWay) {
      refuse(response, 503);
      return;
    }
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
    });
    const cookie = cookieTokenOf(request);
    const signsIn = isSignIn(request, path);
    if (isSignOut(request, path)) addCookie(response, clearedCookie({ isSecure }));
    const body = framing(request);
    const sent = {
      method: request.method ?? "GET",
      target: request.url ?? "/",
      headers: {
        ...requestHeaders(request, cookie.kind === "cookie" ? cookie.token : null, settings),
        ...body,
        ...(signsIn ? { "accept-encoding": "identity" } : {}),
      },
    };
    const isRead = body === null && (sent.method === "GET" || sent.method === "HEAD");
    start(isRead ? "shared" : "own");

    function start(connection: "shared" | "own"): void {
      const outgoing = upstream.send(sent, connection);
      const clocks = watch(outgoing, response, settings.answerMs);
      outgoing.on("response", (answer) => {
        // An answer that came before the end of the request is complete: the API does not need the rest of the body.
        answer.once("end", () => {
          if (!outgoing.writableFinished) outgoing.destroy();
        });
        clocks.stop();
        if (isRefusedToken(answer) && cookie.kind === "cookie" && cookie.count === 1) {
          addCookie(response, clearedCookie({ isSecure }));
        }
        const isGood = Math.floor((answer.statusCode ?? 0) / 100) === 2;
        if (signsIn && isGood) void passSignIn(answer, response, { isSecure });
        else void pass(answer, response);
      });
      outgoing.on("error", () => {
        clocks.stop();
        // The API closed an idle connection while a read was sent on it. Nothing was answered and nothing changed.
        const mayRepeat = connection === "shared" && outgoing.reusedSocket;
        if (mayRepeat && !response.headersSent && !response.destroyed) start("own");
        else refuse(response, 502);
      });
      if (body === null) outgoing.end();
      else sendBody(request, outgoing);
    }
  };
}

/** Streams a request's body. The API may answer, and stop reading, before the body ends. */
function sendBody(request: IncomingMessage, outgoing: ClientRequest): void {
  request.pipe(outgoing);
  outgoing.once("close", () => {
    request.unpipe(outgoing);
    request.resume();
  });
  request.once("close", () => {
    if (!request.complete) outgoing.destroy();
  });
}

/** Gives up on an API that does not answer, and on a browser that has disconnected. */
function watch(outgoing: ClientRequest, response: ServerResponse, answerMs: number) {
  const tooLate = () => {
    refuse(response, 504);
    outgoing.destroy();
  };
  let timer = setTimeout(tooLate, connectMs);
  const again = (ms: number) => {
    clearTimeout(timer);
    if (!response.headersSent) timer = setTimeout(tooLate, ms);
  };
  outgoing.once("socket", (socket) => {
    const connected = () => {
      clearTimeout(timer);
      if (outgoing.writableFinished) again(answerMs);
    };
    if (socket.connecting) socket.once("connect", connected);
    else connected();
  });
  outgoing.once("finish", () => again(answerMs));
  response.once("close", () => {
    clearTimeout(timer);
    if (!response.writableFinished) outgoing.destroy();
  });
  return { stop: () => clearTimeout(timer) };
}

function isRefusedToken({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 401 && /^bearer\b/i.test(headers["www-authenticate"] ?? "");
}

/** Streams an answer. If it is cut off, the connection is destroyed, so that no client takes a part for the whole. */
async function pass(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!begin(answer, response, answerHeaders(answer))) return;
  try {
    await pipeline(answer, response, { end: false });
    finish(response);
  } catch {
    response.destroy();
  }
}

/** Ends an answer. An early one waits for the rest of its request; otherwise a reset would discard it. */
function finish(response: ServerResponse): void {
  if (response.req.complete) response.end();
  else endAfterBody(response);
}

/** Passes the answer of a sign-in on, with its token moved into the cookie. */
async function passSignIn(
  answer: IncomingMessage,
  response: ServerResponse,
  options: { readonly isSecure: boolean },
): Promise<void> {
  const body = isReadable(answer) ? await wholeBody(answer) : null;
  const taken = body === null ? null : takeToken(body);
  if (body === null || taken === null || taken.kind === "broken") {
    answer.destroy();
    refuse(response, 502);
    return;
  }
  const isSignedIn = taken.kind === "signed-in";
  if (isSignedIn) addCookie(response, setCookie(taken.token, options));
  const text = isSignedIn ? taken.body : body;
  const { etag: _etag, ...headers } = answerHeaders(answer);
  if (!begin(answer, response, { ...headers, "content-length": text.length })) return;
  response.write(text);
  finish(response);
}

/** Whether an answer is compressed, although no compression was requested: it could hide a token. */
function isReadable({ headers }: IncomingMessage): boolean {
  return /^(?:identity)?$/i.test(headers["content-encoding"] ?? "");
}

/** The whole body; null where it is cut off, or larger than any answer of a sign-in. */
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

/** Writes the head; false where the browser has disconnected or the head is invalid. */
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
    // A header with bytes that headers must not contain.
    answer.destroy();
    for (const name of Object.keys(headers)) response.removeHeader(name);
    refuse(response, 502);
    return false;
  }
}

function addCookie(response: ServerResponse, text: string): void {
  response.setHeader("set-cookie", text);
}
