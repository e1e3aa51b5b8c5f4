import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { type IpRange, isReachable, isWithin } from "../values/addresses/ip-range.js";

/** An address of a host, as `node:net` accepts it. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Why an address may not be called. */
export type AddressProblem = "private" | "not-https";

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly HostAddress[]>;

export const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/** The addresses of a URL's host, resolved once. */
export async function addressesOf(
  url: URL,
  resolve: Resolve = resolveByDns,
): Promise<readonly HostAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  return family === 0 ? resolve(host) : [{ address: host, family }];
}

/**
 * Why these addresses may not be called; null if they may. Each must be public or listed in `webhooks.allow`; without
 * TLS each must be listed.
 */
export function problemOf(
  { protocol }: URL,
  addresses: readonly HostAddress[],
  allowed: readonly IpRange[],
): AddressProblem | null {
  if (!addresses.every(({ address }) => isReachable(address, allowed))) return "private";
  if (protocol === "https:") return null;
  const isListed =
    addresses.length > 0 && addresses.every(({ address }) => isWithin(address, allowed));
  return isListed ? null : "not-https";
}
