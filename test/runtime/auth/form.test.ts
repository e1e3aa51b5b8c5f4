import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authRoutes } from "../../../runtime/auth/index.js";
import { type Client, client, type Reply } from "../../support/client.js";
import { signInWith } from "./people.js";
import { type AuthServer, startAuth } from "./server.js";

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
  passkeys: true,
  twoFactor: { authenticator: true, email: true },
  requireEmailVerification: false,
  checkBreachedPasswords: false,
  tokenLifetimeDays: 30,
};

let server: AuthServer;
let anonymous: Client;
let caller: Client;

beforeAll(async () => {
  server = await startAuth(settings);
  anonymous = client(server.url, null);
  ({ caller } = await signInWith(server, await server.account("ada")));
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

test("there are as many routes as the contract has, but for that of the picture", () => {
  expect(routes).toHaveLength(31);
});

describe.each(routes)("$method $path", ({ method, path, access }) => {
  const asker = () => (access === "public" ? anonymous : caller);

  test("answers in JSON only", async () => {
    const headers = { accept: "text/html" };
    expectAnswer(await asker().send(method, path, { headers }), 406);
  });

  test("is asked with its own methods only", async () => {
    const reply = await asker().send("PUT", path);
    expectAnswer(reply, 405);
    expect(reply.headers.allow?.split(", ")).toContain(method);
  });

  test.runIf(access !== "public")("takes no other token than a bearer's", async () => {
    const reply = await anonymous.send(method, path, { text: "{}" });
    expectAnswer(reply, 401);
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  });

  test.runIf(method === "POST" || method === "PATCH")("takes a JSON object only", async () => {
    const send = (text: string, headers = {}) => asker().send(method, path, { text, headers });
    expectAnswer(await send("{}", { "content-type": "text/plain" }), 415);
    expectAnswer(await send("{}", { "content-encoding": "gzip" }), 415);
    for (const text of ["", "[]", "null", "{", '"{}"']) expectAnswer(await send(text), 400);
    expectAnswer(await send(JSON.stringify({ email: "x".repeat(2000) })), 413);
    const issue = { path: "unheard_of", message: "Is not known here" };
    // What is not there comes before what is wrong with its values.
    const refusal = path.includes(id)
      ? { error: "Not found" }
      : { issues: expect.arrayContaining([issue]) };
    expect((await send('{"unheard_of":1}')).body).toMatchObject(refusal);
  });
});
