import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Client, client } from "../../support/http/client.js";
import { type Person, person } from "./support/people.js";
import { forgetProof } from "./support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "./support/server.js";

const settings = `auth:
  check_breached_passwords: false
  registration: true
  register_by_email: true
  sites: { shop: "https://shop.example.com", desk: "http://localhost:5173" }
`;
const origins = {
  default: "https://www.example.com",
  shop: "https://shop.example.com",
  desk: "http://localhost:5173",
} as const;
const names = ["default", "shop", "desk"] as const;

let server: AuthServer;
let verifying: AuthServer;
let anonymous: Client;
let ada: Person;
let round = 0;

beforeAll(async () => {
  const environment = { SERVICE_WEB_URL: origins.default };
  server = await startAuth(settings, environment);
  verifying = await startAuth(`${settings}  require_email_verification: true\n`, environment);
  anonymous = client(server.url, null);
});
beforeEach(async () => {
  round += 1;
  for (const one of [server, verifying]) {
    one.clock.moveOn(3601);
    one.outbox.clear();
  }
  ada = await person(server, `ada-${round}`);
});
afterAll(async () => {
  await server.close();
  await verifying.close();
});

/** A route that mails a link, its page, and a body that the link is mailed for. */
interface Mailing {
  readonly path: string;
  readonly page: string;
  readonly status: number;
  /** The recipient. */
  readonly to: string;
  readonly body: object;
  readonly caller: Client;
}

const free = () => `free-${round}@example.com`;

const mailings: Readonly<Record<string, () => Promise<Mailing>>> = {
  "/auth/magic-link": async () => ({
    ...{ path: "/auth/magic-link", page: "/sign-in/link", status: 204 },
    ...{ to: ada.email, body: { email: ada.email }, caller: anonymous },
  }),
  "/auth/magic-link that registers": async () => ({
    ...{ path: "/auth/magic-link", page: "/sign-in/link", status: 204 },
    ...{ to: free(), body: { email: free() }, caller: anonymous },
  }),
  "/auth/register": async () => ({
    ...{ path: "/auth/register", page: "/verify-email", status: 201 },
    ...{ to: free(), caller: anonymous },
    body: { email: free(), name: "Eve", password: "a password of my own" },
  }),
  "/auth/register with verification": async () => ({
    ...{ path: "/auth/register", page: "/verify-email", status: 200 },
    ...{ to: free(), caller: client(verifying.url, null) },
    body: { email: free(), name: "Eve", password: "a password of my own" },
  }),
  "/auth/email/send": async () => {
    await forgetProof(server, ada.email);
    return {
      ...{ path: "/auth/email/send", page: "/verify-email", status: 204 },
      ...{ to: ada.email, body: { email: ada.email }, caller: anonymous },
    };
  },
  "/auth/email/change": async () => ({
    ...{ path: "/auth/email/change", page: "/change-email", status: 204 },
    ...{ to: free(), body: { email: free(), password: rightPassword }, caller: ada.caller },
  }),
  "/auth/password/forgot": async () => ({
    ...{ path: "/auth/password/forgot", page: "/reset-password", status: 204 },
    ...{ to: ada.email, body: { email: ada.email }, caller: anonymous },
  }),
};

/** The links that were mailed to an address. */
function linksTo(address: string): readonly (string | null)[] {
  return [server, verifying].flatMap(({ outbox }) =>
    outbox.to(address).flatMap((mail) => ("link" in mail ? [mail.link] : [])),
  );
}

/** What could point elsewhere: none of it belongs in a link. */
const misleading = {
  host: "evil.example",
  origin: "https://evil.example",
  referer: "https://evil.example/",
  forwarded: "host=evil.example;proto=http",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
};

describe.each(Object.keys(mailings))("%s", (name) => {
  const made = () => (mailings[name] ?? expect.unreachable())();

  test.each(names)("links to the site %s", async (site) => {
    const { path, page, status, to, body, caller } = await made();
    const reply = await caller.post(path, { ...body, site });
    expect(reply.status, reply.text).toBe(status);
    expect(linksTo(to)).toEqual([
      expect.stringMatching(new RegExp(`^${origins[site]}${page}\\?token=[\\w-]{43}$`)),
    ]);
  });

  test("links to SERVICE_WEB_URL without a site, whatever the headers say", async () => {
    const { path, page, status, to, body, caller } = await made();
    const reply = await caller.send("POST", path, {
      text: JSON.stringify(body),
      headers: { "content-type": "application/json", ...misleading },
    });
    expect(reply.status, reply.text).toBe(status);
    expect(linksTo(to)).toEqual([
      expect.stringMatching(new RegExp(`^${origins.default}${page}\\?token=[\\w-]{43}$`)),
    ]);
  });

  test.each([
    "",
    "Shop",
    "SHOP",
    " shop",
    "shop ",
    "shop/",
    "shop.",
    "ｓhop",
    "other",
    "https://shop.example.com",
    "https://www.example.com",
    "https://evil.example",
    "//evil.example",
    "shop.example.com",
    "constructor",
    "__proto__",
    "toString",
    "0",
    "shop\u0000",
  ])("refuses the site %j, and mails nothing", async (site) => {
    const { path, to, body, caller } = await made();
    const reply = await caller.post<object>(path, { ...body, site });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      error: "The values are not valid",
      issues: [{ path: "site", message: "Must be one of default, shop, desk" }],
    });
    expect(linksTo(to)).toEqual([]);
  });

  test.each([null, 5, true, ["shop"], { shop: true }])("refuses the site %j", async (site) => {
    const { path, body, caller } = await made();
    const reply = await caller.post<object>(path, { ...body, site });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        error: "The values are not valid",
        issues: [{ path: "site", message: "Must be text" }],
      },
    ]);
  });
});

test("all sites of an address share its limit of mails", async () => {
  const statuses: number[] = [];
  for (const site of ["default", "shop", "desk", "shop", "desk", "default", "shop"]) {
    const reply = await anonymous.post("/auth/password/forgot", { email: ada.email, site });
    statuses.push(reply.status);
  }
  expect(statuses).toEqual([204, 204, 204, 204, 204, 204, 429]);
});

test("a link replaces the previous one, also of another site", async () => {
  for (const site of ["shop", "desk"]) {
    await anonymous.post("/auth/password/forgot", { email: ada.email, site });
  }
  const [first, second] = linksTo(ada.email).map((link) => new URL(link ?? "").searchParams);
  const reset = (token: string | null | undefined) =>
    anonymous.post("/auth/password/reset", { token, newPassword: "another password of mine" });
  expect((await reset(first?.get("token"))).status).toBe(401);
  expect((await reset(second?.get("token"))).status).toBe(204);
});

test("a site that is not configured is refused before anything about an account is checked", async () => {
  const site = "other";
  const register = (email: string) =>
    anonymous.post("/auth/register", { email, name: "Eve", password: "a password of mine", site });
  const change = (password: string, email = free()) =>
    ada.caller.post("/auth/email/change", { email, password, site });
  const answers = await Promise.all([
    register(ada.email),
    register(free()),
    change(rightPassword),
    change("a wrong password"),
    change(rightPassword, ada.email),
  ]);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const accounts = await server.services.db.query("select from service.users where email = $1", [
    free(),
  ]);
  expect(accounts).toEqual([]);
});

test("the last of two values for a site counts", async () => {
  const sent = (names: readonly string[]) =>
    anonymous.send("POST", "/auth/password/forgot", {
      text: `{"email":"${ada.email}",${names.map((name) => `"site":"${name}"`).join(",")}}`,
      headers: { "content-type": "application/json" },
    });
  expect((await sent(["shop", "https://evil.example"])).status).toBe(422);
  expect((await sent(["https://evil.example", "shop"])).status).toBe(204);
  expect(linksTo(ada.email)).toEqual([expect.stringMatching(/^https:\/\/shop\.example\.com\//)]);
});

test("a site in the query of the address is not read", async () => {
  const reply = await anonymous.post("/auth/password/forgot?site=shop", { email: ada.email });
  expect(reply.status).toBe(204);
  expect(linksTo(ada.email)).toEqual([expect.stringMatching(/^https:\/\/www\.example\.com\//)]);
});

test("the path after the sign-in stays on the site", async () => {
  const redirectTo = "/orders?page=2";
  await anonymous.post("/auth/magic-link", { email: ada.email, redirectTo, site: "shop" });
  const [link] = linksTo(ada.email);
  expect(link).toMatch(/^https:\/\/shop\.example\.com\/sign-in\/link\?token=[\w-]{43}&redirectTo=/);
  for (const away of ["//evil.example", "/\\evil.example", "https://shop.example.com/"]) {
    const body = { email: ada.email, redirectTo: away, site: "shop" };
    expect((await anonymous.post("/auth/magic-link", body)).status).toBe(422);
  }
});

test("a link works whichever site it leads to, also after the site is removed", async () => {
  await anonymous.post("/auth/password/forgot", { email: ada.email, site: "shop" });
  const token = new URL(linksTo(ada.email)[0] ?? "").searchParams.get("token");
  const later = await startAuth(
    "auth: { check_breached_passwords: false }\n",
    {},
    {
      databaseUrl: server.services.config.database.url,
      startsAt: server.services.clock.now().getTime(),
    },
  );
  const body = { token, newPassword: "another password of mine" };
  expect((await client(later.url, null).post("/auth/password/reset", body)).status).toBe(204);
  const gone = { email: ada.email, site: "shop" };
  const refused = await client(later.url, null).post<object>("/auth/password/forgot", gone);
  expect([refused.status, refused.body]).toEqual([
    422,
    {
      error: "The values are not valid",
      issues: [{ path: "site", message: "Must be one of default" }],
    },
  ]);
  await later.close();
});

test.each(["/auth/magic-link", "/auth/email/send", "/auth/password/forgot"])(
  "responses of %s with a site do not reveal whether the address has an account",
  async (path) => {
    for (const site of ["shop", "other"]) {
      const [known, unknown] = await Promise.all(
        [ada.email, `nobody-${round}@example.com`].map((email) =>
          anonymous.post(path, { email, site }),
        ),
      );
      expect([known?.status, known?.text]).toEqual([unknown?.status, unknown?.text]);
    }
  },
);

test("routes that mail no link and begin no ceremony take no site", async () => {
  const bodies: Readonly<Record<string, object>> = {
    "/auth/email-code": { email: ada.email },
    "/auth/token": { email: ada.email, password: rightPassword },
    "/auth/passkey": {},
    "/auth/password/reset": { token: "a", newPassword: "another password" },
    "/auth/magic-link/verify": { token: "a" },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const reply = await anonymous.post<{ issues: object[] }>(path, { ...body, site: "shop" });
    expect(reply.status, path).toBe(422);
    expect(reply.body.issues).toContainEqual({ path: "site", message: "Is not a known key" });
  }
});

test("without sites the default one may be named", async () => {
  const single = await startAuth();
  const email = await single.account("ada");
  const forgot = (site: string) =>
    client(single.url, null).post("/auth/password/forgot", { email, site });
  expect((await forgot("default")).status).toBe(204);
  expect((await forgot("shop")).status).toBe(422);
  await single.close();
});

test("the switches of sign-in do not list the sites", async () => {
  const { text } = await anonymous.get("/auth/config");
  expect(text).not.toMatch(/shop|5173|site/);
});
