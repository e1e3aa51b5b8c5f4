import { describe, expect, test } from "vitest";
import {
  isVouched,
  profileOf,
  roleOf,
} from "../../../../../runtime/auth/methods/provider/protocol/profile.js";
import {
  judgeIdentity,
  returnAddress,
  type UnknownIdentity,
  withParameter,
} from "../../../../../runtime/auth/methods/provider/rules.js";
import type { ProviderSettings } from "../../../../../runtime/config/index.js";

const accounts = {
  none: null,
  unverified: { emailVerified: false, disabled: false, invited: false, hasIdentity: false },
  verified: { emailVerified: true, disabled: false, invited: false, hasIdentity: false },
  disabled: { emailVerified: true, disabled: true, invited: false, hasIdentity: false },
} as const;

/** What becomes of somebody vouched for, of an allowed domain; everybody else is refused. */
const expected = {
  none: { true: "register", false: "registration off" },
  unverified: { true: "adopt", false: "adopt" },
  verified: { true: "link", false: "link" },
  disabled: { true: "account disabled", false: "account disabled" },
} as const;

const flags = [true, false] as const;

/** The verdict, or the reason of a refusal. */
function verdictOn(facts: UnknownIdentity): string {
  const verdict = judgeIdentity(facts);
  return typeof verdict === "string" ? verdict : verdict.refused;
}

describe("an unknown identity", () => {
  for (const name of ["none", "unverified", "verified", "disabled"] as const) {
    for (const isVouched of flags) {
      for (const register of flags) {
        for (const isAllowed of flags) {
          const allowed = isAllowed
            ? expected[name][register ? "true" : "false"]
            : "domain not allowed";
          const verdict = isVouched ? allowed : "address not verified";
          test(`account ${name}, vouched ${isVouched}, register ${register}, domain ${isAllowed}: ${verdict}`, () => {
            const domains = isAllowed ? ["example.com"] : ["example.org", "sub.example.com"];
            const email = "ada@example.com";
            const account = accounts[name];
            expect(verdictOn({ isVouched, email, register, domains, account })).toBe(verdict);
          });
        }
      }
    }
  }

  test("cannot sign in without an address", () => {
    const facts = { isVouched: true, email: null, register: true, domains: [], account: null };
    expect(verdictOn(facts)).toBe("no address");
  });

  test("is not linked beside another of its provider, which an account that changes hands loses", () => {
    const facts = { isVouched: true, email: "a@example.com", register: true, domains: [] };
    const verified = { ...accounts.verified, hasIdentity: true };
    const unverified = { ...accounts.unverified, hasIdentity: true };
    expect(verdictOn({ ...facts, account: verified })).toBe("account linked to another");
    expect(verdictOn({ ...facts, account: unverified })).toBe("adopt");
    // An operator vouches for this one, so it keeps its identities.
    const vouchedFor = { ...unverified, invited: true };
    expect(verdictOn({ ...facts, account: vouchedFor })).toBe("account linked to another");
    expect(verdictOn({ ...facts, account: { ...vouchedFor, hasIdentity: false } })).toBe("adopt");
  });
});

test.each([
  ["google", null, false, true, true],
  ["google", null, false, "true", true],
  ["google", null, false, "True", false],
  ["google", null, false, undefined, false],
  ["own", null, false, true, true],
  ["own", null, false, "true", true],
  ["own", null, false, "false", false],
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
] as const)("%s (tenant %s, trusted %s) with email_verified %s is verified: %s", (...row) => {
  const [kind, tenant, trustEmail, verified, expected] = row;
  expect(isVouched({ kind, issuer: "https://id.test", tenant, trustEmail }, verified)).toBe(
    expected,
  );
});

const provider: ProviderSettings = {
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
  emailClaim: "email",
  sessionHours: null,
  roles: null,
  tenant: null,
  trustEmail: false,
};

/** With roles by a claim. */
function byClaim(claim: string, map: readonly (readonly [string, string])[] = []) {
  return { ...provider, roles: { claim, required: false, map } };
}

describe("the role", () => {
  const groups = byClaim("groups", [
    ["chiefs", "admin"],
    ["staff", "clerk"],
  ]);

  test.each<[string, object, string | null]>([
    ["of a list", { groups: ["staff", "chiefs"] }, "admin"],
    ["of a text", { groups: "staff" }, "clerk"],
    ["of nothing that fits", { groups: ["guests"] }, null],
    ["of an empty list", { groups: [] }, null],
    ["of null, which some write for an empty list", { groups: null }, null],
    ["of another kind of value", { groups: { staff: true } }, null],
  ])("%s", (_, claims, role) => {
    expect(roleOf(groups, { ...claims })).toEqual({ role });
  });

  test.each<[string, object]>([
    ["no claim", {}],
    ["a claim that is elsewhere, as of Entra with many groups", { _claim_names: { groups: "s1" } }],
    ["only inherited properties", Object.create({ groups: "staff" })],
  ])("stays unchanged with %s", (_, claims) => {
    expect(roleOf(groups, claims as Record<string, unknown>)).toEqual({});
  });

  test("stays unchanged if claims do not decide about roles", () => {
    expect(roleOf(provider, { groups: "staff" })).toEqual({});
  });

  test.each([
    ["realm_access.roles", { realm_access: { roles: ["staff"] } }],
    ["resource_access.my.shop.roles", { resource_access: { "my.shop": { roles: "staff" } } }],
    ["https://example.com/roles", { "https://example.com/roles": ["staff"] }],
    ["https://example.com/app.roles", { "https://example.com/app": { roles: ["staff"] } }],
  ])("of the path %s", (claim, claims) => {
    expect(roleOf(byClaim(claim, [["staff", "clerk"]]), claims)).toEqual({ role: "clerk" });
    expect(roleOf(byClaim(`${claim}.x`, [["staff", "clerk"]]), claims)).toEqual({});
  });
});

test("an unverified address gives no role", () => {
  const chief = [["chief@example.com", "admin"]] as const;
  const chiefs = byClaim("email", chief);
  const claims = { iss: provider.issuer, sub: "1", iat: 0, exp: 1, email: "chief@example.com" };
  expect(profileOf(chiefs, { ...claims, email_verified: true }).role).toBe("admin");
  expect(profileOf(chiefs, { ...claims, email_verified: false }).role).toBe(null);
  expect(profileOf(chiefs, claims, { email: "a@b.test", email_verified: false }).role).toBe(null);
  const byName = { ...byClaim("upn", chief), emailClaim: "upn" };
  const named = { ...claims, upn: "chief@example.com" };
  expect(profileOf(byName, named).role).toBe(null);
  expect(profileOf(byName, { ...named, email_verified: true }).role).toBe("admin");
});

const base = {
  pages: ["https://shop.example.com/desk", "https://staff.example.com:8443"],
  schemes: ["com.example.shop"],
};

test.each([
  "https://shop.example.com/desk",
  "https://shop.example.com/desk/sign-in?next=%2Forders#top",
  "https://shop.example.com/desk?x=1",
  "https://staff.example.com:8443/",
  "https://staff.example.com:8443/orders?x=1",
  "com.example.shop:/signed-in",
  "com.example.shop://signed-in?x=1",
])("returns to %s", (address) => {
  expect(returnAddress(address, base)).toBe(address);
});

test.each([
  ["HTTPS://Shop.Example.COM:443/desk/./x", "https://shop.example.com/desk/x"],
  ["https://staff.example.com:8443", "https://staff.example.com:8443/"],
  ["https://STAFF.example.com:08443/a/../b", "https://staff.example.com:8443/b"],
  ["https://münchen.example/x", "https://xn--mnchen-3ya.example/x"],
  ["https://xn--mnchen-3ya.example/x", "https://xn--mnchen-3ya.example/x"],
  ["https://MU\u0308NCHEN.example/x", "https://xn--mnchen-3ya.example/x"],
])("returns from %s to %s", (written, address) => {
  const pages = [...base.pages, "https://xn--mnchen-3ya.example"];
  expect(returnAddress(written, { ...base, pages })).toBe(address);
});

test.each([
  "/sign-in",
  "https://shop.example.com",
  "https://shop.example.com/desktop",
  "https://shop.example.com/desk/../admin",
  "https://staff.example.com/",
  "http://staff.example.com:8443/",
  "https://staff.example.com:84430/",
  "https://staff.example.com:8443@evil.test/",
  "https://staff.example.com.:8443/",
  "https://staff.example.com:8443\u2028@evil.test/",
  "https:staff.example.com",
  "https:///staff.example.com:8443.evil.test/",
  "https://staff%2Eexample%2Ecom.evil.test:8443/",
  "https://stаff.example.com:8443/",
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

test("the ticket is added, and the address's own parameters stay", () => {
  expect(withParameter("https://a.test/x", "ticket", "t")).toBe("https://a.test/x?ticket=t");
  expect(withParameter("https://a.test/x?y=1%202#z?", "error", "E")).toBe(
    "https://a.test/x?y=1%202&error=E#z?",
  );
});
