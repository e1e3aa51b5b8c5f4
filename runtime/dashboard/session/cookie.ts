import type { IncomingMessage } from "node:http";

export const cookieName = "service_token";

/** Seconds for which browsers store the cookie, regardless of the token's lifetime: 30 days. */
const maxAge = 2_592_000;

export type CookieToken =
  | { readonly kind: "none" }
  /** `token` is null if the value is not a token, or if there are two, one of which was set by another host. */
  | { readonly kind: "cookie"; readonly token: string | null; readonly count: number };

export function cookieTokenOf({ headers }: IncomingMessage): CookieToken {
  const values = (headers.cookie ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at >= 0 && pair.slice(0, at).trim() === cookieName ? [pair.slice(at + 1).trim()] : [];
  });
  const [value = ""] = values;
  if (values.length === 0) return { kind: "none" };
  return {
    kind: "cookie",
    token: values.length === 1 && isToken(value) ? value : null,
    count: values.length,
  };
}

/** Whether all characters are valid both in a cookie and in a bearer token (RFC 6265 §4.1.1, RFC 6750 §2.1). */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9\-._~+/]{1,4000}=*$/.test(text);
}

export function setCookie(token: string, options: CookieOptions): string {
  return cookie(token, maxAge, options);
}

export function clearedCookie(options: CookieOptions): string {
  return cookie("", 0, options);
}

export interface CookieOptions {
  /** Whether browsers send the cookie over https only. */
  readonly isSecure: boolean;
}

function cookie(value: string, age: number, { isSecure }: CookieOptions): string {
  const secure = isSecure ? "; Secure" : "";
  return `${cookieName}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}
