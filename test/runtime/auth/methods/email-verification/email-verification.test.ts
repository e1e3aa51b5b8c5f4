import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client } from "../../../../support/http/client.js";
import { newestMail, tokenIn } from "../../support/mails.js";
import { addSecondStep, forgetProof } from "../../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

let server: AuthServer;
let anonymous: Client;
let email: string;
let accounts = 0;

beforeAll(async () => {
  server = await startAuth();
  anonymous = client(server.url, null);
});
beforeEach(async () => {
  accounts += 1;
  email = await server.account(`person-${accounts}`);
  await forgetProof(server, email);
});
afterAll(() => server.close());

async function signIn(): Promise<Client> {
  const body = { email, password: rightPassword };
  const reply = await anonymous.post<{ token: string }>("/auth/token", body);
  return client(server.url, reply.body.token);
}

async function isVerified(caller: Client): Promise<boolean> {
  const { body } = await caller.get<{ user: { emailVerified: boolean } }>("/auth/me");
  return body.user.emailVerified;
}

test("one mail holds the code and the link, without a name of unknown origin", async () => {
  expect((await anonymous.post("/auth/email/send", { email })).status).toBe(204);
  expect(server.outbox.to(email)).toEqual([
    {
      kind: "verification",
      to: email,
      name: null,
      code: expect.stringMatching(/^\d{6}$/),
      link: expect.stringMatching(/^http:\/\/localhost:3001\/verify-email\?token=[\w-]{43}$/),
      minutes: 60,
    },
  ]);
});

test.each(["code", "link"])(
  "the %s proves the address, gives no token and keeps devices signed in",
  async (by) => {
    const caller = await signIn();
    await anonymous.post("/auth/email/send", { email });
    const { code, link } = newestMail(server, email, "verification");
    const body = by === "code" ? { email, code } : { token: tokenIn(link) };
    expect(await isVerified(caller)).toBe(false);
    const reply = await anonymous.post("/auth/email/verify", body);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe("");
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(await isVerified(caller)).toBe(true);
  },
);

test("nothing is mailed to a verified address, and every guess for it is wrong", async () => {
  await anonymous.post("/auth/email/send", { email });
  const { link } = newestMail(server, email, "verification");
  await anonymous.post("/auth/email/verify", { token: tokenIn(link) });
  server.outbox.clear();
  expect((await anonymous.post("/auth/email/send", { email })).status).toBe(204);
  expect(server.outbox.messages).toEqual([]);
  const reply = await anonymous.post("/auth/email/verify", { email, code: "123456" });
  expect(reply.body).toMatchObject({ code: "INVALID_OTP" });
});

test("a sign-in that is waiting for its second step ends when the address is verified", async () => {
  const { db } = server.services;
  await addSecondStep(server, email, "email");
  const body = { email, password: rightPassword };
  expect((await anonymous.post("/auth/token", body)).status).toBe(200);
  await anonymous.post("/auth/email/send", { email });
  const { code } = newestMail(server, email, "verification");
  expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
  expect(await db.query("select from service.challenges")).toEqual([]);
});

test.each([
  [{}, ["email", "code"]],
  [{ email: "ada@example.com" }, ["code"]],
  [{ code: "123456" }, ["email"]],
  [{ token: null }, ["token"]],
  [{ token: "a", code: "123456" }, ["code"]],
  [{ token: "a", email: "ada@example.com", code: "123456" }, ["email", "code"]],
  [{ email: "ada@example.com", code: "123456", deviceName: "Phone" }, ["deviceName"]],
])("refuses the body %j", async (body, paths) => {
  const reply = await anonymous.post<{ issues: readonly { path: string }[] }>(
    "/auth/email/verify",
    body,
  );
  expect(reply.status).toBe(422);
  expect(reply.body.issues.map((issue) => issue.path)).toEqual(paths);
});
