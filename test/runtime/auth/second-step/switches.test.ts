import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { codeDigest } from "../../../../runtime/auth/token/code.js";
import { client } from "../../../support/http/client.js";
import { person, trySignIn } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

/** By their settings. */
const servers = new Map<string, Promise<AuthServer>>();
afterAll(async () => {
  for (const server of servers.values()) await (await server).close();
});

/** The server with these methods on; all tests share it. */
function serverWith(authenticator: boolean, email: boolean): Promise<AuthServer> {
  const settings = `auth: { check_breached_passwords: false, two_factor: { authenticator: ${authenticator}, email: ${email} } }\n`;
  const server = servers.get(settings) ?? startAuth(settings);
  servers.set(settings, server);
  return server;
}

const paths = ["send", "verify", "enable", "confirm", "disable", "backup-codes"];

test.each([
  [false, false, []],
  [true, false, paths.filter((path) => path !== "send")],
  [false, true, paths],
  [true, true, paths],
])("with authenticator %s and email %s only %j exist", async (authenticator, email, there) => {
  const server = await serverWith(authenticator, email);
  const { token } = await person(server, "paths");
  for (const path of paths) {
    for (const caller of [client(server.url, token), client(server.url, null)]) {
      const status = there.includes(path) ? 405 : 404;
      expect((await caller.get(`/auth/two-factor/${path}`)).status).toBe(status);
      const { status: posted } = await caller.post(`/auth/two-factor/${path}`, {});
      expect([path, posted === 404]).toEqual([path, !there.includes(path)]);
    }
  }
});

test.each([
  [true, false, "email"],
  [false, true, "totp"],
  [false, true, undefined],
])(
  "with authenticator %s and email %s the method %s cannot be set up, before the password is checked",
  async (authenticator, email, method) => {
    const server = await serverWith(authenticator, email);
    const { caller } = await person(server, `without-${method}`);
    const body = { password: "wrong password", method };
    const reply = await caller.post<object>("/auth/two-factor/enable", body);
    expect([reply.status, reply.body]).toEqual([404, { error: "Not found" }]);
  },
);

test("a set-up of a method disabled meanwhile cannot be confirmed", async () => {
  const server = await serverWith(true, false);
  const { db, config, clock } = server.services;
  const { caller, email } = await person(server, "confirms");
  await db.query(
    `insert into service.second_step_set_ups (user_id, email_code_digest, expires_at)
     select id, $1, $2
     from service.users
     where email = $3`,
    [
      codeDigest(config, "123456", `set-up:${email}`),
      new Date(clock.now().getTime() + 60_000),
      email,
    ],
  );
  const reply = await caller.post<object>("/auth/two-factor/confirm", { code: "123456" });
  expect([reply.status, reply.body]).toMatchObject([422, { code: "TWO_FACTOR_NOT_ENABLED" }]);
});

interface Kinds {
  readonly authenticator: boolean;
  readonly email: boolean;
}

const app: Kinds = { authenticator: true, email: false };
const mail: Kinds = { authenticator: false, email: true };
const both: Kinds = { authenticator: true, email: true };
const none: Kinds = { authenticator: false, email: false };

/** What is on, what is enrolled, and the methods that are then required. */
const asked: readonly (readonly [
  Kinds,
  readonly (readonly [Kinds, readonly string[] | null])[],
])[] = [
  [
    both,
    [
      [app, ["totp", "email", "backup"]],
      [mail, ["email", "backup"]],
    ],
  ],
  [
    mail,
    [
      [app, ["email", "backup"]],
      [mail, ["email", "backup"]],
    ],
  ],
  [
    app,
    [
      [app, ["totp", "backup"]],
      [mail, null],
      [both, ["totp", "backup"]],
    ],
  ],
  [
    none,
    [
      [app, null],
      [mail, null],
      [both, null],
    ],
  ],
];

test.each(asked)(
  "with %j on a password asks for methods that are both enrolled and enabled",
  async (on, expected) => {
    const server = await serverWith(on.authenticator, on.email);
    for (const [enrolled, methods] of expected) {
      const { email } = await person(server, `${enrolled.authenticator}-${enrolled.email}`);
      await enrol(server, email, enrolled);
      const { status, body } = await trySignIn(server, email);
      expect([enrolled, status, body.methods]).toEqual(
        methods === null ? [enrolled, 201, undefined] : [enrolled, 200, methods],
      );
    }
  },
);

test("a challenge from before the last method was disabled is OTP_EXPIRED", async () => {
  const server = await serverWith(true, true);
  const { db, config } = server.services;
  const { email } = await person(server, "by-mail");
  await enrol(server, email, app);
  const { challenge } = (await trySignIn(server, email)).body;
  // Emailed codes are on, but here an email was the first proof.
  await db.query(
    `update service.challenges
     set proof = 'magic-link'
     where user_id = (select id from service.users where email = $1)`,
    [email],
  );
  const settings = "auth: { two_factor: { authenticator: false } }\n";
  const later = await startAuth(settings, {}, { databaseUrl: config.database.url });
  const body = { challenge, method: "backup", code: "no code" };
  const reply = await client(later.url, null).post<object>("/auth/two-factor/verify", body);
  await later.close();
  expect([reply.status, reply.body]).toMatchObject([401, { code: "OTP_EXPIRED" }]);
});

async function enrol({ services }: AuthServer, email: string, enrolled: Kinds): Promise<void> {
  await services.db.query(
    `insert into service.second_steps (user_id, authenticator_secret, email, backup_key)
     select id, $2, $3, $4
     from service.users
     where email = $1`,
    [email, enrolled.authenticator ? randomBytes(32) : null, enrolled.email, randomBytes(32)],
  );
}
