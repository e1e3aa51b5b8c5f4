import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Context } from "../../http/index.js";
import { label } from "../account/input.js";

/** What a sign-in may call its device; left out and null both mean nothing. */
export const deviceName = label.nullish().transform((name) => name ?? null);

/** What a session remembers of where it was opened. */
export interface Device {
  /** What its owner calls it. */
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
}

/**
 * The device that makes a request. Browser and address are believed only from a dashboard that knows
 * the shared secret; otherwise the browser is null and the address the one the request came from,
 * seen through as many proxies as the configuration trusts.
 */
export function deviceOf({ request, services }: Context, name: string | null): Device {
  const { proxySecret, server } = services.config;
  const address = addressOf(request, server.trustProxy);
  if (!knowsSecret(request, proxySecret)) return { name, browser: null, ipAddress: address };
  const [reported] = listOf(request, "x-service-client-ip");
  return {
    name,
    browser: browserOf(headerOf(request, "x-service-client-browser")),
    ipAddress: reported !== undefined && isIP(reported) !== 0 ? plainAddress(reported) : address,
  };
}

function knowsSecret(request: IncomingMessage, proxySecret: string | null): boolean {
  const shown = headerOf(request, "x-service-proxy-secret");
  if (shown === null || proxySecret === null) return false;
  // Node reads header bytes as Latin-1. Digests have one length, as the comparison needs.
  return timingSafeEqual(digest(Buffer.from(shown, "latin1")), digest(Buffer.from(proxySecret)));
}

/** The last hop that no trusted proxy reported; each proxy adds the address it was called from. */
function addressOf(request: IncomingMessage, trustedHops: number): string | null {
  let address = request.socket.remoteAddress ?? null;
  for (const hop of listOf(request, "x-forwarded-for").reverse().slice(0, trustedHops)) {
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address === null ? null : plainAddress(address);
}

function browserOf(header: string | null): string | null {
  const text = (header ?? "")
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(0, 255);
  return text === "" ? null : text;
}

/** An IPv4 address seen through an IPv6 socket is still that IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

function listOf(request: IncomingMessage, name: string): string[] {
  const header = headerOf(request, name);
  return header === null ? [] : header.split(",").map((part) => part.trim());
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
