import type { IncomingMessage } from "node:http";
import { type CookieToken, cookieTokenOf, isToken } from "./cookie.js";
import { routePath } from "./target.js";

/** Requests whose responses contain a token. */
const paths: ReadonlySet<string> = new Set(
  [
    "token",
    "two-factor/verify",
    "passkey",
    "magic-link/verify",
    "email-code/verify",
    "provider/verify",
    "register",
  ].map((name) => `/api/auth/${name}`),
);

export function isSignIn({ method }: IncomingMessage, path: string): boolean {
  return method === "POST" && paths.has(routePath(path));
}

/**
 * Whether a provider returns a browser with a form, as Apple does. The form comes from another site, and is accepted
 * only with a secret of the browser that started the sign-in. The path must match exactly, to keep the exception for
 * other sites narrow.
 */
export function isProviderCallback({ method }: IncomingMessage, path: string): boolean {
  return method === "POST" && path === "/api/auth/provider/callback";
}

/** Returns the cookie's token for a request; none for requests from other sites, or with their own token. */
export function requestToken(request: IncomingMessage, path: string): CookieToken {
  const isWithout = isProviderCallback(request, path) || ownAuthorization(request) !== null;
  return isWithout ? { kind: "none" } : cookieTokenOf(request);
}

/**
 * Returns the `Authorization` of an app, or of an operator who views the app as another account, which is forwarded
 * unchanged. Any other is dropped: people's tokens are in the cookie.
 */
export function ownAuthorization({ headers }: IncomingMessage): string | null {
  const { authorization = "" } = headers;
  return /^bearer +(?:app_|view_)/i.test(authorization) ? authorization : null;
}

/** Returns the `Authorization` for a request to the API; null if there is none. */
export function authorizationOf(request: IncomingMessage, cookie: CookieToken): string | null {
  const own = ownAuthorization(request);
  if (own !== null) return own;
  return cookie.kind === "cookie" && cookie.token !== null ? `Bearer ${cookie.token}` : null;
}

/** Whether the request signs out the person whose token is in the cookie. */
export function isSignOut(request: IncomingMessage, path: string): boolean {
  const { method } = request;
  const isOfToken = method === "DELETE" && routePath(path) === "/api/auth/token";
  return isOfToken && ownAuthorization(request) === null;
}

/** Maximum size in bytes; a user object has a few hundred. */
export const maxSignInAnswer = 1_048_576;

/** The response of a sign-in without its token, which no page may see. */
export type SignInAnswer =
  | { readonly kind: "signed-in"; readonly token: string; readonly body: Buffer }
  /** No token yet: there is a second step, or an email to read first. */
  | { readonly kind: "other" }
  /** A token that no cookie can contain. */
  | { readonly kind: "broken" };

/** Removes the token from the body of a 2xx response. */
export function takeToken(body: Buffer): SignInAnswer {
  const value = parsed(body);
  if (typeof value !== "object" || value === null || !("token" in value)) return { kind: "other" };
  const { token, ...rest } = value;
  if (typeof token !== "string" || !isToken(token)) return { kind: "broken" };
  return { kind: "signed-in", token, body: Buffer.from(JSON.stringify(rest)) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
