import ipaddr from "ipaddr.js";

/** An IPv4-mapped address as sockets write it: matching this is ten times as fast as parsing. */
const asOfSocket = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** A prefix of all notations of IPv4-mapped addresses; few other addresses have it. */
const perhapsMapped = /^[0:]+:ffff:/i;

/** Unwraps an IPv4-mapped IPv6 address in any notation. */
export function plainAddress(address: string): string {
  if (asOfSocket.test(address)) return address.replace(asOfSocket, "");
  return perhapsMapped.test(address) ? ipaddr.process(address).toString() : address;
}

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain.startsWith("127.") || plain === "::1";
}

/** Whether the address is private or loopback, as those of proxies are. */
export function isInside(address: string): boolean {
  const plain = plainAddress(address);
  if (!ipaddr.isValid(plain)) return false;
  return ["private", "loopback", "uniqueLocal", "linkLocal"].includes(ipaddr.parse(plain).range());
}

/**
 * The address that identifies a client: an IPv4 address, or the network of an IPv6 address, since a client may use all
 * addresses of its network.
 */
export function clientOf(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(":") ? networkOf(plain) : plain;
}

/** The network of an IPv6 address: the first 64 of 128 bits. */
function networkOf(address: string): string {
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
