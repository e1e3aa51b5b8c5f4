import ipaddr from "ipaddr.js";

/** An IPv4-mapped address in the notation of sockets: matching it is ten times as fast as parsing. */
const asOfSocket = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** The prefix of every notation of an IPv4-mapped address; few other addresses have it. */
const perhapsMapped = /^[0:]+:ffff:/i;

/** Unwraps an IPv4-mapped IPv6 address in any notation. */
export function plainAddress(address: string): string {
  if (asOfSocket.test(address)) return address.replace(asOfSocket, "");
  return perhapsMapped.test(address) ? ipaddr.process(address).toString() : address;
}

/** Whether the address is a loopback address. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain.startsWith("127.") || plain === "::1";
}

/** Whether the address is private or loopback: proxies have such addresses, visitors do not. */
export function isInside(address: string): boolean {
  const plain = plainAddress(address);
  if (!ipaddr.isValid(plain)) return false;
  return ["private", "loopback", "uniqueLocal", "linkLocal"].includes(ipaddr.parse(plain).range());
}

/**
 * What counts as one client: an IPv4 address, or the network of an IPv6 address, since one client may use all addresses
 * of a network.
 */
export function clientOf(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(":") ? networkOf(plain) : plain;
}

/** The first 64 of 128 bits. */
function networkOf(address: string): string {
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
