import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Context } from "../../http/index.js";
import { plainAddress } from "../../values/ip-address.js";
import { nameShape } from "../account/input.js";

/** The optional name of a device in a sign-in's body; absent becomes null. */
export const deviceNameShape = nameShape.nullish().transform((name) => name ?? null);

/** The device on which a session was opened. */
export interface Device {
  /** Chosen by its owner. */
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
}

/**
 * The device that makes a request. The headers with browser and address are trusted only from a dashboard that
 * knows the shared secret; otherwise the browser is null, and the address is the one that the request came from,
 * behind as many proxies as the configuration trusts.
 */
export function deviceOf({ request, services }: Context, name: string | null): Device {
  const { proxySecret, server } = services.config;
  const address = addressOf(request, server.trustProxy);
  if (!knowsSecret(request, proxySecret)) return { name, browser: null, ipAddress: address };
  const [reported] = headerList(request, "x-service-client-ip");
  return {
    name,
    browser: browserOf(headerText(request, "x-service-client-browser")),
    ipAddress: reported !== undefined && isIP(reported) !== 0 ? plainAddress(reported) : address,
  };
}

function knowsSecret(request: IncomingMessage, proxySecret: string | null): boolean {
  const sent = headerText(request, "x-service-proxy-secret");
  if (sent === null || proxySecret === null) return false;
  // Node decodes header bytes as Latin-1. Digests have equal lengths, as the comparison requires.
  return timingSafeEqual(digest(Buffer.from(sent, "latin1")), digest(Buffer.from(proxySecret)));
}

/** The address of the last untrusted hop; each proxy appends the address it was called from. */
function addressOf(request: IncomingMessage, trustedHops: number): string | null {
  let address = request.socket.remoteAddress ?? null;
  for (const hop of headerList(request, "x-forwarded-for").reverse().slice(0, trustedHops)) {
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

function headerList(request: IncomingMessage, name: string): string[] {
  const header = headerText(request, name);
  return header === null ? [] : header.split(",").map((part) => part.trim());
}

function headerText(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
