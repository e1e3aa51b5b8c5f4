import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../../../runtime/config/index.js";
import { problemSentence } from "../../../runtime/values/problem.js";
import { appFolder } from "./folder.js";

const environment = {
  SERVICE_SECRET: "s".repeat(32),
  DATABASE_URL: "postgres://me@127.0.0.1/shop",
};
const ids = "client_id: shop, client_secret: s";

function read(auth: string, more: Readonly<Record<string, string>> = {}) {
  const root = appFolder({ "service.yaml": `auth:\n${auth.replace(/^/gm, "  ")}\n` });
  return readConfig({ root, environment: { ...environment, ...more } });
}

function problemsOf(auth: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    read(auth, more);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((one) => `${one.line}:${one.column} ${problemSentence(one)}`);
  }
}

test("providers are complete, in the order of the file", () => {
  const { auth } = read(
    `registration: true\nproviders:\n  acme: { issuer: "https://id.example.com/x/", ${ids} }\n  google: { ${ids}, register: false, domains: [Bücher.example] }`,
  );
  expect(auth.providers).toEqual([
    {
      name: "acme",
      title: "acme",
      kind: "own",
      issuer: "https://id.example.com/x",
      clientId: "shop",
      audiences: ["shop"],
      secret: { kind: "shared", secret: "s" },
      scope: "openid email profile",
      register: true,
      domains: [],
      secondStep: true,
      emailClaim: "email",
      sessionHours: null,
      roles: null,
      tenant: null,
      trustEmail: false,
    },
    {
      name: "google",
      title: "Google",
      kind: "google",
      issuer: "https://accounts.google.com",
      clientId: "shop",
      audiences: ["shop"],
      secret: { kind: "shared", secret: "s" },
      scope: "openid email profile",
      register: false,
      domains: ["xn--bcher-kva.example"],
      secondStep: true,
      emailClaim: "email",
      sessionHours: null,
      roles: null,
      tenant: null,
      trustEmail: false,
    },
  ]);
});

test("whole numbers as keys keep the order of the file", () => {
  const { auth } = read(
    `providers:\n  acme: { issuer: "https://id.example.com", ${ids}, roles: { claim: g, map: { staff: clerk, "20": admin, "10": "\${ROLE}" } } }\n  google: { ${ids} }\n  "365": { issuer: "https://id.example.com/365", ${ids} }`,
    { ROLE: "guest" },
  );
  expect(auth.providers.map(({ name }) => name)).toEqual(["acme", "google", "365"]);
  expect(auth.providers[0]?.roles?.map).toEqual([
    ["staff", "clerk"],
    ["20", "admin"],
    ["10", "guest"],
  ]);
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()
  .replaceAll("\n", "\\n");

test.each([
  ["acme: { client_id: a, client_secret: b }", "auth.providers.acme.issuer"],
  [`acme: { issuer: "http://id.example.com", ${ids} }`, "must be an https address"],
  [`acme: { issuer: "https://id.example.com?x=1", ${ids} }`, "absolute http or https address"],
  [`acme: { issuer: "https://id.example.com" }`, "auth.providers.acme.client_id"],
  [`acme: { issuer: "https://id.example.com", ${ids}, scope: email }`, "must include openid"],
  [`acme: { issuer: "https://id.example.com", ${ids}, tenant: x }`, "tenant is not a setting"],
  [`Acme: { issuer: "https://id.example.com", ${ids} }`, "must be a name of lower-case letters"],
  [`google: { client_id: a }`, "auth.providers.google.client_secret"],
  [`google: { ${ids}, titel: x }`, "titel is not a setting"],
  [`google: { ${ids}, domains: ["not a domain"] }`, "must be a domain"],
  [`google: { ${ids}, session_hours: 0 }`, "must be a whole number from 1 to 87600"],
  [`google: { ${ids}, session_hours: 87601 }`, "must be a whole number from 1 to 87600"],
  [`google: { ${ids}, roles: { claim: g, map: { a: owner } } }`, "is a word of access rules"],
  [`google: { ${ids}, roles: { map: {} } }`, "roles.claim"],
  [`google: { ${ids}, roles_required: true }`, "google.roles_required needs roles"],
  [`acme: { issuer: "https://id.test", ${ids}, roles_required: true }`, "roles_required needs"],
  [`google: { ${ids}, email_claim: 7 }`, "auth.providers.google.email_claim"],
  [`microsoft: { ${ids} }`, "auth.providers.microsoft.tenant"],
  [`microsoft: { ${ids}, tenant: "a/b" }`, "must be a tenant's id"],
  [`apple: { client_id: a, team_id: b, key_id: c, private_key: d }`, "must be the private key"],
  [
    `apple: { client_id: a, team_id: b, key_id: c, private_key: "${rsa.replaceAll("\\n", "\\\\n")}" }`,
    "must be the private key",
  ],
  [`google: { client_id: a, client_secret: "\${NOT_SET}" }`, "NOT_SET"],
])("%s is refused by name", (provider, sentence) => {
  const problems = problemsOf(`providers:\n  ${provider}`);
  expect(problems.join("\n")).toContain(sentence);
});

test.each(["common", "organizations", "Consumers", "9188040D-6c67-4c5b-b112-36a304b66dad"])(
  "Microsoft's tenant %s gives no roles",
  (tenant) => {
    const roles = "roles: { claim: groups, map: { a: admin } }";
    const problems = problemsOf(`providers:\n  microsoft: { tenant: ${tenant}, ${ids}, ${roles} }`);
    expect(problems.join("\n")).toContain(
      "auth.providers.microsoft.roles needs the id of a single tenant",
    );
  },
);

test.each(["http://127.0.0.1:9000", "http://127.9.9.9/x", "http://[::1]:80", "http://localhost"])(
  "an issuer on this machine may be %s",
  (issuer) => {
    expect(problemsOf(`providers: { acme: { issuer: "${issuer}", ${ids} } }`)).toEqual([]);
  },
);

test.each([
  "http://127.0.0.1.evil.test",
  "http://localhost.evil.test",
  "http://10.0.0.1",
  "ftp://a.test",
])("an issuer may not be %s", (issuer) => {
  expect(problemsOf(`providers: { acme: { issuer: "${issuer}", ${ids} } }`)).toHaveLength(1);
});

test("schemes to return to are the app's own", () => {
  expect(problemsOf("return_to: [com.example.shop]")).toEqual([]);
  for (const scheme of [
    ..."https javascript data intent search-ms jar sftp edge devtools webcal shop".split(" "),
    ..."com.example.shop: Com.Shop .shop shop. com..shop".split(" "),
    `com.${"x".repeat(100)}`,
  ]) {
    expect(problemsOf(`return_to: ["${scheme}"]`), scheme).toHaveLength(1);
  }
});

test("in production the dashboard's address is required", () => {
  const off = "magic_link: false\npasskeys: false\n";
  const providers = `${off}providers: { google: { ${ids} } }`;
  const production = { NODE_ENV: "production" };
  expect(problemsOf(off, production)).toEqual([]);
  expect(problemsOf(providers, production).join()).toContain(
    "SERVICE_WEB_URL must be set in production while auth.providers is on",
  );
  expect(
    problemsOf(providers, { ...production, SERVICE_WEB_URL: "https://shop.example.com" }),
  ).toEqual([]);
});
