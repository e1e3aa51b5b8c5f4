import ipaddr from "ipaddr.js";

/** An IPv4-mapped address as sockets write it: recognised without parsing, which takes ten times as long. */
const asOfSocket = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** How every spelling of an IPv4-mapped address begins, and that of few others. */
const perhapsMapped = /^[0:]+:ffff:/i;

/** Unwraps an IPv4-mapped IPv6 address, however it is spelled. */
export function plainAddress(address: string): string {
  if (asOfSocket.test(address)) return address.replace(asOfSocket, "");
  return perhapsMapped.test(address) ? ipaddr.process(address).toString() : address;
}

/** Whether the address is the machine's own. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain.startsWith("127.") || plain === "::1";
}

/** Whether the address is one of a private network or of the machine itself, where proxies stand and no visitors. */
export function isInside(address: string): boolean {
  const plain = plainAddress(address);
  if (!ipaddr.isValid(plain)) return false;
  return ["private", "loopback", "uniqueLocal", "linkLocal"].includes(ipaddr.parse(plain).range());
}

/** What counts as one client of a sound address: an IPv4 address, or an IPv6 network, whose addresses one client may all use. */
export function clientOf(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(":") ? networkOf(plain) : plain;
}

/** The first 64 of the 128 bits. */
function networkOf(address: string): string {
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
