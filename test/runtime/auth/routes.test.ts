import { afterAll, beforeAll, expect, test } from "vitest";
import { authRoutes, createToken } from "../../../runtime/auth/index.js";
import { type Client, client, type Reply } from "../../support/http/client.js";
import { signInWith } from "./support/people.js";
import { type AuthServer, startAuth } from "./support/server.js";

/** Every switch on, so that every route is there. */
const settings = `
auth: { registration: true, check_breached_passwords: false }
server: { max_json_bytes: 2000 }
`;

const on = {
  enabled: true,
  registration: true,
  magicLink: true,
  emailCode: true,
  registerByEmail: false,
  passkeys: true,
  twoFactor: { authenticator: true, email: true },
  requireEmailVerification: false,
  deleteOwnAccount: false,
  checkBreachedPasswords: false,
  forbiddenPasswordWords: [],
  tokenLifetimeDays: 30,
  idleHours: null,
  notices: true,
  profiles: "signed-in" as const,
  operators: [],
  sites: [],
  providers: [],
  returnTo: [],
  apps: null,
};

let server: AuthServer;
let anonymous: Client;
let caller: Client;
let ada: string;

beforeAll(async () => {
  server = await startAuth(settings);
  anonymous = client(server.url, null);
  ada = await server.account("ada");
  ({ caller } = await signInWith(server, ada));
});
afterAll(() => server.close());

/** Of nothing that is there. */
const id = "018f0000-0000-7000-8000-000000000000";

const routes = authRoutes(on).map(({ method, path, access }) => ({
  method,
  path: path.replace(":id", id),
  access,
}));

function expectAnswer(reply: Reply, status: number): void {
  expect([reply.status, reply.text]).toEqual([status, reply.text]);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.body).toEqual({ error: expect.stringMatching(/./) });
}

test("there are exactly the routes of the contract, except that of the picture", () => {
  expect(routes).toHaveLength(36);
});

const asker = ({ access }: (typeof routes)[number]) => (access === "public" ? anonymous : caller);

test.each(routes)("$method $path answers in JSON, and to its own methods only", async (route) => {
  const { method, path } = route;
  const headers = { accept: "text/html" };
  expectAnswer(await asker(route).send(method, path, { headers }), 406);
  const reply = await asker(route).send("PUT", path);
  expectAnswer(reply, 405);
  expect(reply.headers.allow?.split(", ")).toContain(method);
});

test.each(routes.filter(({ access }) => access !== "public"))(
  "$method $path needs a token",
  async ({ method, path }) => {
    const reply = await anonymous.send(method, path, { text: "{}" });
    expectAnswer(reply, 401);
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  },
);

/** What a service token may do below `/auth`; how it ends itself by its id is tried with the others of its kind. */
const ofServiceTokens = ["PATCH /auth/me", "DELETE /auth/token"];

test.each(routes.filter(({ access, method }) => access !== "public" && method !== "GET"))(
  "$method $path is refused to a service token, unless it names the account or ends itself",
  async ({ method, path }) => {
    const made = await createToken(server.services, { email: ada, name: "Export", days: null });
    if (made?.kind !== "made") throw new Error("No token");
    const reply = await client(server.url, made.token).send(method, path, { text: "{}" });
    if (ofServiceTokens.includes(`${method} ${path}`)) {
      expect([200, 204]).toContain(reply.status);
      return;
    }
    expect(reply).toMatchObject({ status: 403, body: { code: "SESSION_NOT_FRESH" } });
    // Whoever is signed in stays so.
    expect((await caller.get("/auth/me")).status).toBe(200);
  },
);

test.each(routes.filter(({ method }) => method === "POST" || method === "PATCH"))(
  "$method $path accepts only a JSON object of known keys",
  async (route) => {
    const { method, path } = route;
    const send = (text: string, headers = {}) => asker(route).send(method, path, { text, headers });
    expectAnswer(await send("{}", { "content-type": "text/plain" }), 415);
    expectAnswer(await send("{}", { "content-encoding": "gzip" }), 415);
    for (const text of ["", "[]", "null", "{", '"{}"']) expectAnswer(await send(text), 400);
    expectAnswer(await send(JSON.stringify({ email: "x".repeat(2000) })), 413);
    const issue = { path: "unheard_of", message: "Is not a known key" };
    // What is not there comes before what is wrong with its values.
    const refusal = path.includes(id)
      ? { error: "Not found" }
      : { issues: expect.arrayContaining([issue]) };
    expect((await send('{"unheard_of":1}')).body).toMatchObject(refusal);
  },
);
