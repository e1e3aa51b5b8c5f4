import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "../session/delegated/rules.js";

/** Seconds in which a code has to be exchanged for tokens. */
export const codeSeconds = 60;

/**
 * Seconds in which a refresh token that was used may be used again: an assistant asks with several
 * requests at once, each of which refreshes, and a response may be lost.
 */
export const graceSeconds = 120;

/** Apps that one account may have connected; few enough to list without pages. */
export const maxApps = 100;

/**
 * Tokens of one kind that an app may have, so that an app that refreshes in a loop does not fill
 * the table.
 */
export const maxTokens = 100;

/** The scope of a request: `read` if it names none, null if it names only unknown ones. `write` includes `read`. */
export function scopeOf(requested: string | null): Scope | null {
  if (requested === null) return "read";
  const words = requested.split(" ");
  if (words.includes("write")) return "read write";
  return words.includes("read") ? "read" : null;
}

/** The narrower of two scopes. */
export function narrowed(one: Scope, other: Scope): Scope {
  return one === "read" ? one : other;
}

/**
 * The one of `addresses` that a client names; null for any other. Case in the host and one slash at the end are
 * ignored.
 */
export function resourceNamed(written: string, addresses: readonly string[]): string | null {
  const parts = /^(https?:\/\/[^/?#]*)([^?#]*)$/i.exec(written);
  if (parts === null) return null;
  const [, origin = "", path = ""] = parts;
  const plain = origin.toLowerCase() + path.replace(/\/$/, "");
  return addresses.find((one) => one === plain) ?? null;
}

/** Whether the secret is the one whose S256 was sent (RFC 7636 §4.6). */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest();
  const sent = Buffer.from(challenge, "base64url");
  return made.length === sent.length && timingSafeEqual(made, sent);
}

/** The addresses that a browser may be sent back to. */
export interface RedirectRules {
  /** Schemes of native apps: `auth.return_to`. */
  readonly schemes: readonly string[];
  /** The addresses that the client's document lists. */
  readonly listed: readonly string[];
}

/**
 * Whether a browser may be sent to that address: https, a configured scheme, or http on this machine, where any port
 * will do (RFC 8252 §7.3). Apart from that port, the client's document must list exactly this address.
 */
export function isRedirect(written: string, { schemes, listed }: RedirectRules): boolean {
  if (!URL.canParse(written) || written.includes("#")) return false;
  const { protocol, username, password } = new URL(written);
  if (username + password !== "") return false;
  if (loopback.test(written)) {
    const anyPort = written.replace(loopback, "$1$2");
    return listed.some((one) => loopback.test(one) && one.replace(loopback, "$1$2") === anyPort);
  }
  const isKnown = protocol === "https:" || schemes.includes(protocol.slice(0, -1));
  return isKnown && listed.includes(written);
}

const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*|\?.*|)$/s;

/** The part of a redirect address that is shown: its host, or the scheme of a native app. */
export function redirectHost(address: string): string {
  const { protocol, host } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}

/** The address with these parameters after those it has. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | null>>,
): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) added.set(name, value);
  }
  return `${address}${address.includes("?") ? "&" : "?"}${added}`;
}
