import type { IncomingMessage, ServerResponse } from "node:http";
import { type DeviceSettings, deviceHeaders } from "./forward/headers.js";
import { clearedCookie, cookieTokenOf, setCookie } from "./session/cookie.js";
import {
  authorizationOf,
  isSignIn,
  isSignOut,
  requestToken,
  takeToken,
} from "./session/sign-in.js";

export interface InPlaceSettings extends Pick<DeviceSettings, "proxySecret"> {
  readonly isSecure: boolean;
}

/** Whether the dashboard, and not the API, handles a request in the API's process. */
export function isOurs(request: IncomingMessage): boolean {
  return cookieTokenOf(request).kind === "cookie" || request.headers["service-dashboard"] === "1";
}

/**
 * Serves the dashboard in the API's process. Nothing is forwarded: the request gets its token from the cookie, and the
 * response's head and a sign-in's token are changed as they are written.
 */
export function handOver(
  request: IncomingMessage,
  response: ServerResponse,
  { path, ...settings }: InPlaceSettings & { readonly path: string },
): void {
  const cookie = requestToken(request, path);
  const authorization = authorizationOf(request, cookie);
  const { headers } = request;
  for (const name of Object.keys(headers)) if (isToBeDropped(name)) delete headers[name];
  if (authorization !== null) headers.authorization = authorization;
  // The API reads the client's address from the same socket, with its own setting for `X-Forwarded-For`.
  const { "x-service-client-ip": _ip, ...device } = deviceHeaders(request, {
    ...settings,
    trustProxy: 0,
  });
  Object.assign(headers, device);

  const { writeHead } = response;
  response.writeHead = ((status: number, ...rest: never[]) => {
    if (
      status === 401 &&
      cookie.kind === "cookie" &&
      cookie.count === 1 &&
      asksForToken(response)
    ) {
      response.setHeader("set-cookie", clearedCookie(settings));
    }
    return Reflect.apply(writeHead, response, [status, ...rest]);
  }) as typeof writeHead;
  if (isSignOut(request, path)) response.setHeader("set-cookie", clearedCookie(settings));
  if (isSignIn(request, path)) keepToken(response, settings);
}

function isToBeDropped(name: string): boolean {
  const plain = name.replaceAll("_", "-");
  return (
    plain === "cookie" || plain === "authorization" || /^x-service-(?:client|proxy)-/.test(plain)
  );
}

function asksForToken(response: ServerResponse): boolean {
  return /^bearer\b/i.test(String(response.getHeader("www-authenticate") ?? ""));
}

/** Moves the token of a sign-in into the cookie. Such responses are short: one `end`, or one `write` before it. */
function keepToken(response: ServerResponse, settings: InPlaceSettings): void {
  const parts: Buffer[] = [];
  const { end } = response;
  const take = (chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
  };
  response.write = ((chunk: unknown) => {
    take(chunk);
    return true;
  }) as typeof response.write;
  response.end = ((chunk?: unknown) => {
    take(chunk);
    const body = Buffer.concat(parts);
    const isGood = Math.floor(response.statusCode / 100) === 2;
    const taken = isGood ? takeToken(body) : null;
    const text = taken?.kind === "signed-in" ? taken.body : body;
    if (taken?.kind === "signed-in") {
      response.setHeader("set-cookie", setCookie(taken.token, settings));
      response.setHeader("content-length", text.length);
    }
    return Reflect.apply(end, response, text.length === 0 ? [] : [text]);
  }) as typeof end;
}
