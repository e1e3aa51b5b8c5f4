import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Client, client } from "../../../../support/http/client.js";
import { atOnce, countEach } from "../../support/concurrency.js";
import { newestMail, tokenIn } from "../../support/mails.js";
import { breakTable, disable } from "../../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

const password = "a password of my own";

let server: AuthServer;
let anonymous: Client;
let email: string;
let people = 0;

function register(more: object = {}) {
  return anonymous.post<{ token: string; user: object; code?: string }>("/auth/register", {
    name: "Ada",
    email,
    password,
    ...more,
  });
}

function signIn(word: string) {
  return anonymous.post<{ user: { name: string } }>("/auth/token", { email, password: word });
}

async function accounts(): Promise<readonly object[]> {
  const text = "select name, email, role from service.users where email = $1";
  return server.services.db.query<object>(text, [email]);
}

async function start(more: string): Promise<void> {
  server = await startAuth(
    `auth: { registration: true, check_breached_passwords: false, ${more} }\n`,
    { SERVICE_LOG_LEVEL: "silent" },
  );
  anonymous = client(server.url, null);
}

beforeEach(() => {
  people += 1;
  email = `person-${people}@example.com`;
});

describe("registering", () => {
  beforeAll(() => start("require_email_verification: false"));
  afterAll(() => server.close());

  test("signs in immediately, with an unverified address", async () => {
    const reply = await register({ email: ` ${email.toUpperCase()}`, deviceName: "Phone" });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: { id: expect.any(String), name: "Ada", email, role: null },
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
    const me = await client(server.url, reply.body.token).get<{ user: object }>("/auth/me");
    expect(me.body.user).toMatchObject({ email, role: null, emailVerified: false });
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
    expect((await signIn(password)).status).toBe(201);
  });

  test("the mailed code proves the address", async () => {
    const { body } = await register();
    const { code } = newestMail(server, email, "verification");
    expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
    const me = await client(server.url, body.token).get<{ user: object }>("/auth/me");
    expect(me.body.user).toMatchObject({ emailVerified: true });
  });

  test("an address that has an account is refused", async () => {
    await register();
    server.outbox.clear();
    const reply = await register({ name: "Eve", email: email.toUpperCase() });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      error: "An account with this address already exists",
      code: "USER_ALREADY_EXISTS",
      issues: [{ path: "email", message: expect.stringMatching(/./) }],
    });
    expect(server.outbox.messages).toEqual([]);
    expect(await accounts()).toEqual([{ name: "Ada", email, role: null }]);
  });

  test("one of twenty concurrent ones gets the account, and the others are refused", async () => {
    const outcome = async () => {
      const { status, body } = await register();
      if (status === 409) {
        expect(body).toEqual({
          error: "An account with this address already exists",
          code: "USER_ALREADY_EXISTS",
          field: "email",
        });
      }
      return status;
    };
    const { 201: won, 409: lost = 0, 422: late = 0 } = countEach(await atOnce(20, outcome));
    expect(won).toBe(1);
    expect(lost).toBeGreaterThan(0);
    expect(lost + late).toBe(19);
    expect(await accounts()).toHaveLength(1);
    expect(server.outbox.to(email)).toHaveLength(1);
  });

  test("succeeds without a mail if six were requested within the hour", async () => {
    for (let count = 0; count < 6; count += 1) await anonymous.post("/auth/email/send", { email });
    expect((await register()).status).toBe(201);
    expect(server.outbox.to(email)).toEqual([]);
  });

  test("leaves nothing behind after a server error", async () => {
    const repair = await breakTable(server, "service.sessions", "insert");
    expect((await register()).status).toBe(500);
    await repair();
    expect(await accounts()).toEqual([]);
    expect(server.outbox.to(email)).toEqual([]);
    expect((await register()).status).toBe(201);
  });

  test.each([
    [{ role: "admin" }, ["role"]],
    [{ name: undefined }, ["name"]],
    [{ name: " " }, ["name"]],
    [{ name: "Ada\r\nBcc: eve@example.com" }, ["name"]],
    [{ name: "x".repeat(256) }, ["name"]],
    [{ email: "ada@example.com\r\nBcc: eve@example.com" }, ["email"]],
    [{ email: "ada@example.com, eve@example.com" }, ["email"]],
    [{ email: "ad\u0131@example.com", password: 5 }, ["email", "password"]],
    [{ password: undefined }, ["password"]],
    [{ deviceName: "" }, ["deviceName"]],
  ])("refuses a body with %j", async (more, paths) => {
    server.outbox.clear();
    const reply = await anonymous.post<{ issues: readonly { path: string }[] }>("/auth/register", {
      name: "Ada",
      email,
      password,
      ...more,
    });
    expect(reply.status).toBe(422);
    expect(reply.body.issues.map((issue) => issue.path)).toEqual(paths);
    expect(await accounts()).toEqual([]);
    expect(server.outbox.messages).toEqual([]);
  });

  test.each([
    ["1234567", "PASSWORD_TOO_SHORT"],
    ["x".repeat(257), "PASSWORD_TOO_LONG"],
  ])("refuses the password %j", async (word, code) => {
    const reply = await register({ password: word });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ code, issues: [{ path: "password" }] });
    expect(await accounts()).toEqual([]);
  });
});

describe("registering if addresses must be verified", () => {
  beforeAll(() => start("require_email_verification: true"));
  afterAll(() => server.close());

  const accepted = '{"emailVerification":true}';

  test("gives no token; the mailed code enables the password", async () => {
    const reply = await register();
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(accepted);
    expect(await server.services.db.query("select from service.sessions")).toEqual([]);
    expect((await signIn(password)).body).toMatchObject({ code: "EMAIL_NOT_VERIFIED" });
    const { code, name } = newestMail(server, email, "verification");
    expect(name).toBeNull();
    expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
    expect((await signIn(password)).status).toBe(201);
  });

  test("the owner of a known address is notified by mail, and their account does not change", async () => {
    await server.account(`person-${people}`, "admin");
    const reply = await register({ name: "Eve" });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(accepted);
    expect(server.outbox.to(email)).toEqual([
      { kind: "account-exists", to: email, name: `person-${people}` },
    ]);
    expect(await accounts()).toEqual([{ name: `person-${people}`, email, role: "admin" }]);
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn(rightPassword)).status).toBe(201);
  });

  test("registering an unverified address again with the same password mails another code", async () => {
    await register();
    expect((await register({ name: "Ada again" })).text).toBe(accepted);
    const { code } = newestMail(server, email, "verification");
    expect(await accounts()).toEqual([{ name: "Ada", email, role: null }]);
    expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
    expect((await signIn(password)).status).toBe(201);
  });

  test("an unverified address registered twice accepts neither password until a reset sets one", async () => {
    await register({ name: "Eve", password: "the password of Eve" });
    expect((await register()).text).toBe(accepted);
    const { code } = newestMail(server, email, "verification");
    expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
    expect((await signIn("the password of Eve")).status).toBe(401);
    expect((await signIn(password)).status).toBe(401);
    expect(await accounts()).toEqual([{ name: `person-${people}`, email, role: null }]);
    await anonymous.post("/auth/password/forgot", { email });
    const token = tokenIn(newestMail(server, email, "reset-link").link);
    const reset = { token, newPassword: password };
    expect((await anonymous.post("/auth/password/reset", reset)).status).toBe(204);
    expect((await signIn(password)).status).toBe(201);
  });

  test("two identical concurrent ones keep the password", async () => {
    for (let round = 0; round < 5; round += 1) {
      email = `twice-${people}-${round}@example.com`;
      const replies = await Promise.all([register(), register()]);
      expect(replies.map(({ text }) => text)).toEqual([accepted, accepted]);
      const { code } = newestMail(server, email, "verification");
      expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
      expect((await signIn(password)).status).toBe(201);
    }
  });

  test("neither of two concurrent ones with different passwords signs in", async () => {
    const words = ["the password of Eve", password];
    await Promise.all(words.map((word) => register({ password: word })));
    const { code } = newestMail(server, email, "verification");
    expect((await anonymous.post("/auth/email/verify", { email, code })).status).toBe(204);
    for (const word of words) expect((await signIn(word)).status).toBe(401);
  });

  test("a disabled account gets the same response, and no mail", async () => {
    await server.account(`person-${people}`);
    await disable(server, email);
    expect((await register()).text).toBe(accepted);
    expect(server.outbox.to(email)).toEqual([]);
  });

  test("sends at most six mails an hour, and always gives the same response", async () => {
    await server.account(`person-${people}`);
    for (let count = 0; count < 8; count += 1) expect((await register()).text).toBe(accepted);
    expect(server.outbox.to(email)).toHaveLength(6);
  });

  test("a bad password is refused whether or not the address has an account", async () => {
    const replies = [await register({ password: "short" })];
    await server.account(`person-${people}`);
    replies.push(await register({ password: "short" }));
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [422, replies[0]?.text],
      [422, replies[0]?.text],
    ]);
  });
});
