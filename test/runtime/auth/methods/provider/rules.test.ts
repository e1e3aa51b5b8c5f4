import { describe, expect, test } from "vitest";
import {
  isVouched,
  profileOf,
  roleOf,
} from "../../../../../runtime/auth/methods/provider/protocol/profile.js";
import {
  judgeIdentity,
  returnAddress,
  withParameter,
} from "../../../../../runtime/auth/methods/provider/rules.js";

const accounts = {
  none: null,
  unverified: { emailVerified: false, disabled: false, hasIdentity: false },
  verified: { emailVerified: true, disabled: false, hasIdentity: false },
  disabled: { emailVerified: true, disabled: true, hasIdentity: false },
} as const;

/** What becomes of somebody vouched for, of an allowed domain; of everybody else nothing does. */
const expected = {
  none: { true: "register", false: "refuse" },
  unverified: { true: "adopt", false: "adopt" },
  verified: { true: "link", false: "link" },
  disabled: { true: "refuse", false: "refuse" },
} as const;

const flags = [true, false] as const;

describe("an unknown identity", () => {
  for (const name of ["none", "unverified", "verified", "disabled"] as const) {
    for (const isVouched of flags) {
      for (const register of flags) {
        for (const isAllowed of flags) {
          const verdict =
            isVouched && isAllowed ? expected[name][register ? "true" : "false"] : "refuse";
          test(`account ${name}, vouched ${isVouched}, register ${register}, domain ${isAllowed}: ${verdict}`, () => {
            const domains = isAllowed ? ["example.com"] : ["example.org", "sub.example.com"];
            const email = "ada@example.com";
            const account = accounts[name];
            expect(judgeIdentity({ isVouched, email, register, domains, account })).toBe(verdict);
          });
        }
      }
    }
  }

  test("has no way in without an address", () => {
    const facts = { isVouched: true, email: null, register: true, domains: [], account: null };
    expect(judgeIdentity(facts)).toBe("refuse");
  });

  test("is not linked beside another of its provider, which an adopted account loses", () => {
    const facts = { isVouched: true, email: "a@example.com", register: true, domains: [] };
    const verified = { ...accounts.verified, hasIdentity: true };
    const unverified = { ...accounts.unverified, hasIdentity: true };
    expect(judgeIdentity({ ...facts, account: verified })).toBe("refuse");
    expect(judgeIdentity({ ...facts, account: unverified })).toBe("adopt");
  });
});

test.each([
  ["google", null, false, true, true],
  ["google", null, false, "true", false],
  ["google", null, false, undefined, false],
  ["own", null, false, true, true],
  ["own", null, false, "true", false],
  ["own", null, false, 1, false],
  ["apple", null, false, "true", true],
  ["apple", null, false, true, true],
  ["apple", null, false, "false", false],
  ["microsoft", "common", true, true, false],
  ["microsoft", "organizations", true, true, false],
  ["microsoft", "Consumers", true, true, false],
  ["microsoft", "9188040d-6c67-4c5b-b112-36a304b66dad", true, true, false],
  ["microsoft", "9188040D-6C67-4C5B-B112-36A304B66DAD", true, true, false],
  ["microsoft", "a-tenant", false, true, false],
  ["microsoft", "a-tenant", true, undefined, true],
] as const)("%s (tenant %s, trusted %s) with email_verified %s is vouched for: %s", (...row) => {
  const [kind, tenant, trustEmail, verified, expected] = row;
  expect(isVouched({ kind, issuer: "https://id.test", tenant, trustEmail }, verified)).toBe(
    expected,
  );
});

test("the first of the map that the claim has is the role", () => {
  const roles = {
    claim: "groups",
    map: [
      ["chiefs", "admin"],
      ["staff", "clerk"],
    ],
  } as const;
  expect(roleOf({ roles }, { groups: ["staff", "chiefs"] })).toBe("admin");
  expect(roleOf({ roles }, { groups: "staff" })).toBe("clerk");
  expect(roleOf({ roles }, { groups: ["guests"] })).toBe(null);
  expect(roleOf({ roles }, {})).toBe(null);
  expect(roleOf({ roles }, { groups: { staff: true } })).toBe(null);
  expect(roleOf({ roles: null }, { groups: "staff" })).toBe(null);
});

test("an address that nobody vouches for gives no role", () => {
  const provider = {
    name: "acme",
    title: "Acme",
    kind: "own",
    issuer: "https://id.test",
    clientId: "shop",
    audiences: ["shop"],
    secret: { kind: "shared", secret: "s" },
    scope: "openid",
    register: true,
    domains: [],
    secondStep: true,
    roles: { claim: "email", map: [["chief@example.com", "admin"]] },
    tenant: null,
    trustEmail: false,
  } as const;
  const claims = { iss: provider.issuer, sub: "1", iat: 0, exp: 1, email: "chief@example.com" };
  expect(profileOf(provider, { ...claims, email_verified: true })?.role).toBe("admin");
  expect(profileOf(provider, { ...claims, email_verified: false })?.role).toBe(null);
  expect(profileOf(provider, claims, { email: "a@b.test", email_verified: false })?.role).toBe(
    null,
  );
});

const base = { webUrl: "https://shop.example.com/desk", schemes: ["com.example.shop"] };

test.each([
  "https://shop.example.com/desk",
  "https://shop.example.com/desk/sign-in?next=%2Forders#top",
  "https://shop.example.com/desk?x=1",
  "com.example.shop:/signed-in",
  "com.example.shop://signed-in?x=1",
])("returns to %s", (address) => {
  expect(returnAddress(address, base)).toBe(address);
});

test.each([
  "/sign-in",
  "https://shop.example.com",
  "https://shop.example.com/desktop",
  "https://shop.example.com/desk/../admin",
  "https://shop.example.com.evil.test/desk",
  "https://evil.test/desk",
  "https://shop.example.com@evil.test/desk",
  "https://user@shop.example.com/desk",
  "https://shop.example.com\\@evil.test/desk",
  "http://shop.example.com/desk",
  "https://shop.example.com:8443/desk",
  "javascript:alert(1)",
  "data:text/html,x",
  "com.example.other:/",
  "https://shop.example.com/desk/\tx",
  `https://shop.example.com/desk/${"x".repeat(2000)}`,
])("never returns to %s", (address) => {
  expect(returnAddress(address, base)).toBe(null);
});

test("the ticket is added, and what was there stays", () => {
  expect(withParameter("https://a.test/x", "ticket", "t")).toBe("https://a.test/x?ticket=t");
  expect(withParameter("https://a.test/x?y=1%202#z?", "error", "E")).toBe(
    "https://a.test/x?y=1%202&error=E#z?",
  );
});
