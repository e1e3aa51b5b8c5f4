import { describe, expect, test } from "vitest";
import {
  clientOf,
  isLoopback,
  plainAddress,
} from "../../../runtime/values/addresses/ip-address.js";

const spellings = [
  "::ffff:192.0.2.7",
  "::FFFF:192.0.2.7",
  "::ffff:c000:207",
  "::ffff:C000:0207",
  "::0:ffff:192.0.2.7",
  "0::ffff:c000:207",
  "0:0:0:0:0:ffff:192.0.2.7",
  "0000:0000:0000:0000:0000:ffff:c000:0207",
  "::ffff:192.0.2.7%eth0",
];

test.each(spellings)("%s is an IPv4 address", (written) => {
  expect([plainAddress(written), clientOf(written)]).toEqual(["192.0.2.7", "192.0.2.7"]);
});

test.each(["::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:FFFF:7F01:203"])(
  "%s is the machine itself",
  (written) => expect(isLoopback(written)).toBe(true),
);

describe("one IPv6 network is one client, however it is spelled", () => {
  test.each([
    ["2001:db8::1", "2001:0DB8:0:0:ffff::9"],
    ["2001:db8:0:1::1", "2001:db8:0:1:1:1:192.0.2.7"],
    ["::ffff:0:192.0.2.7", "::ffff:0:c000:208"],
    ["fe80::1%eth0", "FE80:0:0:0::2"],
  ])("%s and %s", (one, same) => {
    expect(clientOf(one)).toBe(clientOf(same));
    expect(clientOf(one)).not.toBe(clientOf("2001:db8:0:2::1"));
  });
});

test("addresses other than IPv4 within IPv6 stay unchanged", () => {
  for (const written of ["192.0.2.7", "2001:DB8::1", "::1", "::ffff", "::fffe:192.0.2.7", ""]) {
    expect(plainAddress(written)).toBe(written);
  }
});
