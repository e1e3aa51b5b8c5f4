import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { clearedCookie } from "../session/cookie.js";
import { authorizationOf, isSignIn, isSignOut, requestToken } from "../session/sign-in.js";
import { isOpenDocument, isStoredFile } from "../session/target.js";
import type { Passage } from "./awaited.js";
import { type DeviceSettings, requestHeaders } from "./headers.js";
import { type ForwardLimits, forwardLimits } from "./limits.js";
import { pass, passSignIn } from "./pass-answer.js";
import { newPassages } from "./passages.js";
import { refuse } from "./refuse.js";
import { framing, type Upstream } from "./upstream.js";

export interface ForwardSettings extends DeviceSettings {
  /** Whether browsers send the cookie over https only. */
  readonly isSecure: boolean;
}

export interface Forward {
  (request: IncomingMessage, response: ServerResponse, path: string): void;
  close(): void;
}

/** Forwards requests to the API and streams its responses back, within `limits`. */
export function newForward(
  upstream: Upstream,
  settings: ForwardSettings,
  limits: Partial<ForwardLimits> = {},
): Forward {
  const passages = newPassages({ ...forwardLimits, ...limits });
  const { isSecure } = settings;

  const forward = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const passage = passages.begin(request, response, path);
    if (passage === null) refuse(response, 503);
    else send(passage, path);
  };
  return Object.assign(forward, { close: passages.close });

  function send(passage: Passage, path: string): void {
    const { request, response } = passage;
    const cookie = requestToken(request, path);
    const signsIn = isSignIn(request, path);
    const kind = { isOpen: isOpenDocument(path), isFile: isStoredFile(path) };
    if (isSignOut(request, path)) clearCookie(response, settings);
    const body = framing(request);
    const sent = {
      method: request.method ?? "GET",
      target: request.url ?? "/",
      headers: {
        ...requestHeaders(request, authorizationOf(request, cookie), settings),
        ...body,
        ...(signsIn ? { "accept-encoding": "identity" } : {}),
      },
    };
    const isRead = body === null && (sent.method === "GET" || sent.method === "HEAD");
    start(isRead ? "shared" : "own");

    function start(connection: "shared" | "own"): void {
      const outgoing = upstream.send(sent, connection);
      passage.outgoing = outgoing;
      outgoing.on("response", (answer) => {
        // An early response has ended: the API does not need the rest of the body.
        answer.once("end", () => {
          if (!outgoing.writableFinished) outgoing.destroy();
        });
        if (isRefusedToken(answer) && cookie.kind === "cookie" && cookie.count === 1) {
          clearCookie(response, settings);
        }
        const isGood = Math.floor((answer.statusCode ?? 0) / 100) === 2;
        if (signsIn && isGood) void passSignIn(answer, response, { isSecure });
        else void pass(answer, response, kind);
      });
      outgoing.on("error", () => {
        // The API closed an idle connection while a read was sent on it: there was no response and no change.
        const mayRepeat = connection === "shared" && outgoing.reusedSocket;
        if (mayRepeat && !response.headersSent && !passage.isOver) start("own");
        else refuse(response, 502);
      });
      if (body === null) outgoing.end();
      else sendBody(request, outgoing);
    }
  }
}

/** Streams a request's body. The API may respond and stop reading before the end of the body. */
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

function isRefusedToken({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 401 && /^bearer\b/i.test(headers["www-authenticate"] ?? "");
}

function clearCookie(response: ServerResponse, { isSecure }: { readonly isSecure: boolean }): void {
  response.setHeader("set-cookie", clearedCookie({ isSecure }));
}
