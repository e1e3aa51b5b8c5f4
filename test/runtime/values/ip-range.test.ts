import { expect, test } from "vitest";
import { isReachable, isWithin, readRange } from "../../../runtime/values/addresses/ip-range.js";

/** What is behind an address of this machine or network. */
test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::1",
  "2002:808:808::1",
  "2001::1",
  "2001:db8::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "4000::1",
  "localhost",
  "",
])("%s is not reachable", (address) => {
  expect(isReachable(address, [])).toBe(false);
});

test.each(["8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])(
  "%s is reachable",
  (address) => expect(isReachable(address, [])).toBe(true),
);

test.each([
  ["127.0.0.1", "127.0.0.1", true],
  ["127.0.0.1", "::ffff:127.0.0.1", true],
  ["127.0.0.1", "127.0.0.2", false],
  ["10.0.0.0/8", "10.255.0.1", true],
  ["10.0.0.0/8", "192.168.0.1", false],
  ["fd00::/8", "fd12::1", true],
  ["::1", "::1", true],
  ["0.0.0.0/0", "::1", false],
  ["::/0", "10.0.0.1", false],
])("with %s allowed, that %s is reachable is %s", (range, address, expected) => {
  const read = readRange(range);
  if (read === null) throw new Error(range);
  expect(isReachable(address, [read])).toBe(expected);
  expect(isWithin(address, [read])).toBe(expected);
});

test.each(["", "10", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "0x7f.1", "fe80::1%1", "a.b"])(
  "%s is not a range",
  (written) => expect(readRange(written)).toBeNull(),
);
