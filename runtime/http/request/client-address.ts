import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Config } from "../../config/index.js";
import { clientOf, plainAddress } from "../../values/addresses/ip-address.js";

interface Trust extends Pick<Config, "proxySecret"> {
  readonly server: Pick<Config["server"], "trustProxy">;
}

/**
 * Returns the client's address: as reported by a dashboard with the shared secret, otherwise the request's, behind the
 * configured number of trusted proxies.
 */
export function addressOfClient(request: IncomingMessage, config: Trust): string | null {
  const address = addressOf(request, config.server.trustProxy);
  if (!knowsProxySecret(request, config)) return address;
  const [reported] = headerList(request, "x-service-client-ip");
  return reported !== undefined && isIP(reported) !== 0 ? plainAddress(reported) : address;
}

/** Returns the key of a client: its address, or the network of the address. */
export function clientKey(request: IncomingMessage, config: Trust): string {
  return clientOf(addressOfClient(request, config) ?? "");
}

/** Whether the request comes from a dashboard with the shared secret. */
export function knowsProxySecret(
  request: IncomingMessage,
  { proxySecret }: Pick<Config, "proxySecret">,
): boolean {
  const sent = headerText(request, "x-service-proxy-secret");
  if (sent === null || proxySecret === null) return false;
  // Node decodes header bytes as Latin-1. Digests have equal lengths, as the comparison requires.
  return timingSafeEqual(digest(Buffer.from(sent, "latin1")), digest(Buffer.from(proxySecret)));
}

/** Returns the address of the last untrusted hop; each proxy appends the address of its client. */
function addressOf(request: IncomingMessage, trustedHops: number): string | null {
  let address = request.socket.remoteAddress ?? null;
  for (const hop of headerList(request, "x-forwarded-for").reverse().slice(0, trustedHops)) {
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address === null ? null : plainAddress(address);
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
