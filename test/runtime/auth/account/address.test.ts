import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseAddress } from "../../../../runtime/auth/account/address.js";
import { addressShape } from "../../../../runtime/auth/account/input.js";
import { processorMs } from "../../../support/processes/processor-time.js";

const label63 = "d".repeat(63);
const domain190 = `${label63}.${label63}.${"e".repeat(58)}.org`;

test.each([
  ["someone@example.com", "someone@example.com"],
  ["  Some.One+Tag@Example.COM\n", "some.one+tag@example.com"],
  ["o'brien_!#$%&*/=?^`{|}~-@example.com", "o'brien_!#$%&*/=?^`{|}~-@example.com"],
  ["a@münchen.de", "a@xn--mnchen-3ya.de"],
  ["a@MU\u0308NCHEN.de", "a@xn--mnchen-3ya.de"],
  ["a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"],
  ["a@xn--mnchen-3ya.de", "a@xn--mnchen-3ya.de"],
  ["1@2.a3", "1@2.a3"],
  [
    `${"a".repeat(254 - 1 - domain190.length)}@${domain190}`,
    `${"a".repeat(254 - 1 - domain190.length)}@${domain190}`,
  ],
])("%j is the address %j", (text, address) => {
  expect(normaliseAddress(text)).toBe(address);
});

test.each([
  "",
  "someone",
  "@example.com",
  "someone@",
  "someone@localhost",
  "a@b@example.com",
  '"quoted"@example.com',
  "ünsal@example.com",
  ".a@example.com",
  "a.@example.com",
  "a..b@example.com",
  "a b@example.com",
  "a\u0000@example.com",
  "a@exa mple.com",
  "a@example.com.",
  "a@.example.com",
  "a@example..com",
  "a@-example.com",
  "a@example_.com",
  "a@127.0.0.1",
  "a@0x7f.1",
  "a@[127.0.0.1]",
  "a@example.com:80",
  "a@example.com/path",
  "a@ex%41mple.com",
  "a@xn--a.com",
  "a@\ud800.com",
  "a\r\nBcc: b@example.com",
  `${"a".repeat(255 - 1 - domain190.length)}@${domain190}`,
  `a@${"d".repeat(64)}.org`,
  `${"a".repeat(1_000_000)}@example.com`,
])("%j is not an address", (text) => {
  expect(normaliseAddress(text)).toBeNull();
});

test("a normalised address is its own normal form", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(part, part, fc.constantFrom("com", "DE", "рф"), (local, name, top) => {
      const address = normaliseAddress(`${local}@${name}.${top}`);
      if (address !== null) expect(normaliseAddress(address)).toBe(address);
    }),
    { numRuns: 500 },
  );
});

test("a long run of combining marks costs no time", async () => {
  const long = `${"\u0301\u0316".repeat(250_000)}@example.com`;
  expect(await processorMs(() => normaliseAddress(long))).toBeLessThan(200);
});

test.each([
  ["stanisław.wójcik@wp.pl", /ASCII letters, digits and signs before the @/],
  ["stanisław.wójcik", /^Must be an email address$/],
  ["a b@wp.pl", /^Must be an email address$/],
])("an account's address names ASCII only if that is the mistake: %s", (text, message) => {
  const { error } = addressShape.safeParse(text);
  expect(error?.issues.map((issue) => issue.message)).toEqual([expect.stringMatching(message)]);
});
