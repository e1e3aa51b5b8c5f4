import { isIPv6 } from "node:net";

/** Unwraps an IPv4-mapped IPv6 address. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

/** Whether the address is the machine's own. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain.startsWith("127.") || plain === "::1";
}

/** What counts as one client: an IPv4 address, or an IPv6 network, since a client may use all of its addresses. */
export function clientOf(address: string): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? networkOf(plain) : plain;
}

/** The first 64 of the 128 bits. */
function networkOf(address: string): string {
  const [head = [], tail = []] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
