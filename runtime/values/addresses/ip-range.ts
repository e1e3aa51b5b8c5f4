import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A range of addresses: the first address, and the number of leading bits that all share. */
export type IpRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses `10.0.0.0/8`, `fd00::/8`, or a single address; null for any other text. */
export function readRange(written: string): IpRange | null {
  const [address = "", prefix, ...rest] = written.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return null;
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : bits + 1;
  return length > bits ? null : [ipaddr.parse(address), length];
}

/** Whether an address is public or in one of the allowed ranges. */
export function isReachable(address: string, allowed: readonly IpRange[]): boolean {
  return isWithin(address, allowed) || (isIP(address) !== 0 && isPublic(addressIn(address)));
}

/** Whether an address is in one of the ranges, also as an IPv4 address embedded in an IPv6 one. */
export function isWithin(address: string, ranges: readonly IpRange[]): boolean {
  if (isIP(address) === 0) return false;
  const written = ipaddr.parse(address);
  return [written, addressIn(address)].some((one) =>
    ranges.some(([range, bits]) => one.kind() === range.kind() && one.match(range, bits)),
  );
}

const globalIpv6 = ipaddr.IPv6.parse("2000::");
/** Prefix length of all assigned global unicast addresses (RFC 4291 §2.4). */
const globalBits = 3;

/** Whether an address is neither private, local nor special-purpose; false for unknown ranges. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(globalIpv6, globalBits);
}

/** The IPv4 address in an IPv6 one: mapped (`::ffff:0:0/96`) or translated (RFC 6052, `64:ff9b::/96`). */
function addressIn(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed;
  const isWithinV6 = parsed.isIPv4MappedAddress() || parsed.range() === "rfc6052";
  return isWithinV6 ? new ipaddr.IPv4(parsed.toByteArray().slice(12)) : parsed;
}
