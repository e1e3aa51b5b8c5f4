import { createHash, timingSafeEqual } from "node:crypto";
import type { Scope } from "../session/delegated/rules.js";

/** Seconds within which a code must be exchanged for tokens. */
export const codeSeconds = 60;

/**
 * Seconds within which a used refresh token can be used again: an assistant sends several requests concurrently, each
 * of which may refresh, and a response may be lost.
 */
export const graceSeconds = 120;

/** Maximum number of apps connected to one account, small enough to list without pages. */
export const maxApps = 100;

/** Maximum number of tokens of one kind per app, so that an app that refreshes in a loop does not fill the table. */
export const maxTokens = 100;

/** The scope of a request: `read` if it names none, null if it names only unknown ones. `write` includes `read`. */
export function scopeOf(requested: string | null): Scope | null {
  if (requested === null) return "read";
  const words = requested.split(" ");
  if (words.includes("write")) return "read write";
  return words.includes("read") ? "read" : null;
}

export function narrowed(one: Scope, other: Scope): Scope {
  return one === "read" ? one : other;
}

/**
 * Returns the entry of `addresses` that a client names; null if there is none. The case of the host and a trailing
 * slash are ignored.
 */
export function resourceNamed(written: string, addresses: readonly string[]): string | null {
  const parts = /^(https?:\/\/[^/?#]*)([^?#]*)$/i.exec(written);
  if (parts === null) return null;
  const [, origin = "", path = ""] = parts;
  const plain = origin.toLowerCase() + path.replace(/\/$/, "");
  return addresses.find((one) => one === plain) ?? null;
}

/** Whether the verifier matches the S256 challenge sent earlier (RFC 7636 §4.6). */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest();
  const sent = Buffer.from(challenge, "base64url");
  return made.length === sent.length && timingSafeEqual(made, sent);
}

/** The addresses to which a browser may be redirected. */
export interface RedirectRules {
  /** Schemes of native apps from `auth.return_to`. */
  readonly schemes: readonly string[];
  /** The addresses in the client's document. */
  readonly listed: readonly string[];
}

/**
 * Whether a browser may be redirected to that address: https, a configured scheme, or http on the loopback interface
 * with any port (RFC 8252 §7.3). Apart from that port, the client's document must list exactly this address.
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

/** Returns the displayed part of a redirect address: its host, or the scheme of a native app. */
export function redirectHost(address: string): string {
  const { protocol, host } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}

/** Returns the address with these parameters appended. */
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
