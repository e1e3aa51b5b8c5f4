import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client } from "../../../../support/http/client.js";
import { newestMail } from "../../support/mails.js";
import { addSecondStep } from "../../support/rows.js";
import { type AuthServer, startAuth } from "../../support/server.js";

let server: AuthServer;
let anonymous: Client;
let email: string;

beforeAll(async () => {
  server = await startAuth();
  anonymous = client(server.url, null);
  email = await server.account("ada", "admin");
});
beforeEach(async () => {
  server.clock.moveOn(3600);
  server.outbox.clear();
  await server.services.db.query("delete from service.sessions");
  await server.services.db.query("delete from service.second_steps");
});
afterAll(() => server.close());

async function signIn(more: object = {}) {
  await anonymous.post("/auth/email-code", { email });
  const { code } = newestMail(server, email, "sign-in-code");
  return anonymous.post<object>("/auth/email-code/verify", { email, code, ...more });
}

const signedIn = {
  token: expect.stringMatching(/^[\w-]{43}$/),
  user: { id: expect.any(String), name: "ada", email: "ada@example.com", role: "admin" },
};

test("the mail greets its reader by name and holds six digits and how long they work", async () => {
  const reply = await anonymous.post("/auth/email-code", { email });
  expect(reply.status).toBe(204);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(server.outbox.messages).toEqual([
    {
      kind: "sign-in-code",
      to: "ada@example.com",
      name: "ada",
      code: expect.stringMatching(/^\d{6}$/),
      minutes: 5,
    },
  ]);
});

test("the code signs in: the response has a token and the user, and the session records the proof", async () => {
  const reply = await signIn({ deviceName: "Phone" });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual(signedIn);
  const text = "select name, proofs from service.sessions";
  expect(await server.services.db.query(text)).toEqual([{ name: "Phone", proofs: ["email-code"] }]);
});

test("an account with an authenticator is asked for its code, and never for an emailed one", async () => {
  await addSecondStep(server, email, "authenticator");
  const reply = await signIn();
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    twoFactor: true,
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    methods: ["totp", "backup"],
  });
  expect(await server.services.db.query("select from service.sessions")).toEqual([]);
});

test("an account whose second step is emailed codes is signed in", async () => {
  await addSecondStep(server, email, "email");
  const reply = await signIn();
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual(signedIn);
});

test("a wrong code gets the response that the specification shows", async () => {
  await anonymous.post("/auth/email-code", { email });
  const reply = await anonymous.post("/auth/email-code/verify", { email, code: "nothing" });
  expect(reply.status).toBe(401);
  expect(reply.body).toEqual({ error: "Wrong code", code: "INVALID_OTP" });
  expect(reply.headers["www-authenticate"]).toBeUndefined();
});

test.each([
  ["", {}, ["email"]],
  ["", { email: "ada@example.com", redirectTo: "/" }, ["redirectTo"]],
  ["/verify", {}, ["email", "code"]],
  ["/verify", { email: "ada@example.com", code: 123456 }, ["code"]],
  ["/verify", { email: "ada@example.com", code: "1", deviceName: "\n" }, ["deviceName"]],
  ["/verify", { email: "ada@example.com", code: "1", token: "a" }, ["token"]],
])("/auth/email-code%s refuses the body %j", async (path, body, paths) => {
  const reply = await anonymous.post<{ issues: readonly { path: string }[] }>(
    `/auth/email-code${path}`,
    body,
  );
  expect(reply.status).toBe(422);
  expect(reply.body.issues.map((issue) => issue.path)).toEqual(paths);
});
