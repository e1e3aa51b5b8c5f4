import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, problemsOf, removeFolders } from "./folder.js";

afterAll(removeFolders);

function source(text: string, environment: Record<string, string> = {}) {
  return { root: appFolder({ "service.yaml": text }), environment, databaseUrl };
}

/** The problems of a file, each as one line. */
function linesOf(text: string): readonly string[] {
  return problemsOf(source(text)).map(
    ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
  );
}

/** The sites of a file, as `name address`. */
function sitesOf(text: string, environment: Record<string, string> = {}): readonly string[] {
  const { auth } = readConfig(source(text, environment));
  return auth.sites.map(({ name, url }) => `${name} ${url}`);
}

test("sites are origins in the form in which browsers send them", () => {
  const written = `
auth:
  sites:
    shop: HTTPS://Shop.Example.COM/
    port: https://shop.example.com:443
    other: http://shop.example.com:8080//
    idn: https://münchen.example
    long: https://xn--mnchen-3ya.example
    six: http://[2001:DB8:0::1]:5173
    constructor: https://c.example
    variable: \${SHOP_URL}
`;
  expect(sitesOf(written, { SHOP_URL: "https://v.example/" })).toEqual([
    "shop https://shop.example.com",
    "port https://shop.example.com",
    "other http://shop.example.com:8080",
    "idn https://xn--mnchen-3ya.example",
    "long https://xn--mnchen-3ya.example",
    "six http://[2001:db8::1]:5173",
    "constructor https://c.example",
    "variable https://v.example",
  ]);
});

test("their origins count as listed in cors_origins, once each", () => {
  const { server } = readConfig(
    source(`
server: { cors_origins: ["https://a.example", "https://shop.example"] }
auth: { enabled: false, sites: { shop: "https://shop.example", staff: "https://staff.example" } }
`),
  );
  expect(server.corsOrigins).toEqual([
    "https://a.example",
    "https://shop.example",
    "https://staff.example",
  ]);
});

test("refuses every mistake in sites, each with its place", () => {
  const address =
    "must be an absolute http or https address without credentials, a query or a fragment";
  const withPath = "must be an origin such as https://shop.example.com, without a path";
  const name = "must be a name of lower-case letters, digits and - (at most 63)";
  expect(
    linesOf(`auth:
  sites:
    Shop: https://shop.example.com
    my_shop: https://shop.example.com
    default: https://shop.example.com
    a: shop.example.com
    b: //shop.example.com
    c: ftp://shop.example.com
    d: javascript:alert(1)
    e: https://shop.example.com/desk
    f: https://shop.example.com?x=1
    g: https://shop.example.com#top
    h: https://me@shop.example.com
    i: https://*.example.com
    j: ""
    k: 5
    l:
    m: [https://shop.example.com]
    n: null
`),
  ).toEqual([
    `service.yaml:3:5 auth.sites.Shop ${name}`,
    `service.yaml:4:5 auth.sites.my_shop ${name}`,
    "service.yaml:5:5 auth.sites.default is the name of the site at SERVICE_WEB_URL",
    `service.yaml:6:8 auth.sites.a ${address}`,
    `service.yaml:7:8 auth.sites.b ${address}`,
    `service.yaml:8:8 auth.sites.c ${address}`,
    `service.yaml:9:8 auth.sites.d ${address}`,
    `service.yaml:10:8 auth.sites.e ${withPath}`,
    `service.yaml:11:8 auth.sites.f ${address}`,
    `service.yaml:12:8 auth.sites.g ${address}`,
    `service.yaml:13:8 auth.sites.h ${address}`,
    "service.yaml:14:8 auth.sites.i must be one origin, without a wildcard",
    `service.yaml:15:8 auth.sites.j ${address}`,
    "service.yaml:16:8 auth.sites.k must be text; put it in quotes",
    "service.yaml:17:5 auth.sites.l must have a value",
    "service.yaml:18:5 auth.sites.m must be text; put it in quotes",
    "service.yaml:19:8 auth.sites.n must have a value",
  ]);
});

test("refuses sites that are not a map, and an unset variable", () => {
  expect(linesOf('auth: { sites: ["https://shop.example.com"] }\n')).toEqual([
    expect.stringMatching(/^service\.yaml:1:\d+ auth\.sites must be a map of settings$/),
  ]);
  expect(linesOf("auth: { sites: https://shop.example.com }\n")).toEqual([
    expect.stringMatching(/^service\.yaml:1:\d+ auth\.sites must be a map of settings$/),
  ]);
  expect(linesOf(`auth: { sites: { shop: "\${SHOP_URL}" } }\n`)).toEqual([
    expect.stringMatching(/^service\.yaml:1:\d+ .*SHOP_URL/),
  ]);
});
