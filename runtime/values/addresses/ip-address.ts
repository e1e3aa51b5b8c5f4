/** Unwraps an IPv4-mapped IPv6 address. */
export function plainAddress(address: string): string {
  if (!address.startsWith("::")) return address;
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}

/** Whether the address is the machine's own. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain.startsWith("127.") || plain === "::1";
}

/** What counts as one client of a sound address: an IPv4 address, or an IPv6 network, whose addresses one client may all use. */
export function clientOf(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(":") ? networkOf(plain) : plain;
}

/** The first 64 of the 128 bits. */
function networkOf(address: string): string {
  const [head = [], tail = []] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
