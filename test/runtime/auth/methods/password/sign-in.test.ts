import { createHash } from "node:crypto";
import argon2 from "argon2";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Client, client } from "../../../../support/http/client.js";
import { rare, test } from "../../../../support/rare.js";
import { addUntilPruned } from "../../support/pruning.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

let server: AuthServer;
let anonymous: Client;

beforeAll(async () => {
  server = await startAuth();
  anonymous = client(server.url, null);
  await server.account("ada", "admin");
});
beforeEach(() => server.clock.moveOn(61));
afterAll(() => server.close());

const refused = {
  error: "Wrong email or password",
  code: "INVALID_EMAIL_OR_PASSWORD",
};

function signIn(email: unknown, password: unknown, more: object = {}) {
  return anonymous.post<{ token: string; user: { id: string } }>("/auth/token", {
    email,
    password,
    ...more,
  });
}

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return server.services.db.query<Row>(text, values);
}

test("the right password gives a token and the user", async () => {
  const reply = await signIn(" ADA@Example.com", rightPassword);
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    user: { id: expect.any(String), name: "ada", email: "ada@example.com", role: "admin" },
  });
  expect(Object.keys(reply.body.user)).toEqual(["id", "name", "email", "role"]);
  expect(reply.headers["cache-control"]).toBe("no-store");
});

test("wrong password, unknown and malformed address, no password and a disabled account get the same response", async () => {
  await server.account("disabled");
  await query("update service.users set disabled_at = now() where name = 'disabled'");
  await server.account("passwordless");
  await query("update service.users set password_hash = null where name = 'passwordless'");
  const replies = await Promise.all([
    signIn("ada@example.com", "wrong password"),
    signIn("nobody@example.com", rightPassword),
    signIn("no address at all\u0000\ud800", rightPassword),
    signIn("", ""),
    signIn("disabled@example.com", rightPassword),
    signIn("passwordless@example.com", rightPassword),
    signIn("passwordless@example.com", ""),
    signIn("ada@example.com", `${rightPassword}${"x".repeat(257)}`),
  ]);
  for (const reply of replies) {
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual(refused);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.headers["www-authenticate"]).toBeUndefined();
  }
});

test.each(["ada@example.com", "unknown@example.com", "malformed"])(
  "ten of fifty concurrent attempts for %s are checked, and one more a minute later",
  async (email) => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => signIn(email, "wrong one")));
    const late = replies.filter(({ status }) => status === 429);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(late).toHaveLength(40);
    for (const reply of late) {
      expect(reply.body).toEqual({ error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" });
      expect(reply.headers["retry-after"]).toBe("60");
    }
    server.clock.moveOn(60);
    expect((await signIn(email, "wrong one")).status).toBe(401);
  },
);

rare("malformed addresses are counted separately, as they were sent", async () => {
  const words = ["malformed one", "Malformed one", " malformed one", "one\ud800", "one\ud801", ""];
  for (const word of words) {
    for (let count = 0; count < 10; count += 1) {
      expect((await signIn(word, "wrong one")).status).toBe(401);
    }
    expect((await signIn(word, "wrong one")).status).toBe(429);
  }
});

test("nothing of a malformed address is stored from which it could be guessed", async () => {
  await query("delete from service.attempts");
  const word = "a password in the wrong field";
  await signIn(word, "wrong one");
  const rows = await query<{ key: string }>("select key from service.attempts");
  const digests = [word, `password:${word}`].map((text) =>
    createHash("sha256").update(text).digest("base64url"),
  );
  expect(rows).toHaveLength(1);
  expect(digests).not.toContain(rows[0]?.key);
});

test("successful attempts count too, and all spellings of an address count together", async () => {
  for (let count = 0; count < 10; count += 1) {
    const email = count % 2 === 0 ? "ada@example.com" : " ADA@EXAMPLE.COM ";
    expect((await signIn(email, rightPassword)).status).toBe(201);
  }
  expect((await signIn("ada@example.com", rightPassword)).status).toBe(429);
});

test("the token is stored as its hash only", async () => {
  const { body } = await signIn("ada@example.com", rightPassword);
  const rows = await query<{ token_hash: Buffer; whole: string }>(
    "select token_hash, s::text as whole from service.sessions s",
  );
  const hash = createHash("sha256").update(body.token).digest();
  expect(rows.filter(({ token_hash }) => token_hash.equals(hash))).toHaveLength(1);
  expect(rows.map(({ whole }) => whole).join()).not.toContain(body.token);
});

test("the session holds the device, the proof and the token's lifetime", async () => {
  await query("delete from service.sessions");
  await signIn("ada@example.com", rightPassword, { deviceName: "  Ada's laptop 💻 " });
  const now = server.services.clock.now();
  expect(
    await query(
      `select name, browser, ip_address, proofs, created_at, last_used_at, expires_at
       from service.sessions`,
    ),
  ).toEqual([
    {
      name: "Ada's laptop 💻",
      browser: null,
      ip_address: "127.0.0.1",
      proofs: ["password"],
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + 30 * 86_400_000),
    },
  ]);
});

test.each([[null], [undefined], ["x".repeat(255)], ["💻".repeat(255)]])(
  "accepts the device name %j",
  async (deviceName) => {
    expect((await signIn("ada@example.com", rightPassword, { deviceName })).status).toBe(201);
  },
);

test.each([
  [{ email: "ada@example.com" }, ["password"]],
  [{ email: null, password: 5 }, ["email", "password"]],
  [{}, ["email", "password"]],
  [{ email: "a", password: "b", role: "admin" }, ["role"]],
  [{ email: "a", password: "b", deviceName: "" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "  " }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: 7 }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "a\u0007b" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "a\ud800b" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "a\u202ab" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "\u202e" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "\u2066ab" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "ab\u2069" }, ["deviceName"]],
  [{ email: "a", password: "b", deviceName: "x".repeat(256) }, ["deviceName"]],
  [JSON.parse('{"email":"a","password":"b","__proto__":{"x":1},"x":2}'), ["__proto__", "x"]],
])("refuses the body %j", async (body, paths) => {
  const reply = await anonymous.post("/auth/token", body);
  expect(reply.status).toBe(422);
  expect(reply.body).toEqual({
    error: "The values are not valid",
    issues: paths.map((path) => ({ path, message: expect.stringMatching(/./) })),
  });
  expect(reply.headers["cache-control"]).toBe("no-store");
});

test("a password is compared after NFKC and never trimmed", async () => {
  await server.account("zoe");
  const hash = await argon2.hash(" \u00e9\ufb01 secret ", { timeCost: 2, memoryCost: 19456 });
  await query("update service.users set password_hash = $1 where name = 'zoe'", [hash]);
  expect((await signIn("zoe@example.com", " e\u0301\ufb01 secret ")).status).toBe(401);
  const composed = await argon2.hash(" \u00e9fi secret ", { timeCost: 2, memoryCost: 19456 });
  await query("update service.users set password_hash = $1 where name = 'zoe'", [composed]);
  expect((await signIn("zoe@example.com", " e\u0301\ufb01 secret ")).status).toBe(201);
  expect((await signIn("zoe@example.com", "e\u0301\ufb01 secret")).status).toBe(401);
});

test("a weaker stored hash is replaced at sign-in, an equal one is not", async () => {
  await server.account("old");
  const weak = await argon2.hash(rightPassword, { timeCost: 2, memoryCost: 4096, parallelism: 1 });
  await query("update service.users set password_hash = $1 where name = 'old'", [weak]);
  expect((await signIn("old@example.com", "wrong password")).status).toBe(401);
  expect(await hashOf("old")).toBe(weak);
  expect((await signIn("old@example.com", rightPassword)).status).toBe(201);
  const renewed = await hashOf("old");
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await signIn("old@example.com", rightPassword)).status).toBe(201);
  expect(await hashOf("old")).toBe(renewed);

  async function hashOf(name: string): Promise<string | undefined> {
    const text = "select password_hash as hash from service.users where name = $1";
    return (await query<{ hash: string }>(text, [name]))[0]?.hash;
  }
});

test("expired sessions are deleted as new ones are created", async () => {
  await query("delete from service.sessions");
  for (let count = 0; count < 3; count += 1) await signIn("ada@example.com", rightPassword);
  await query("update service.sessions set expires_at = now(), name = 'expired'");
  await signInUntilPruned();
  expect(await query("select id from service.sessions")).not.toHaveLength(0);
});

/** Signs in until the sessions are gone that are named so. */
async function signInUntilPruned(): Promise<void> {
  const expired = () => query("select id from service.sessions where name = 'expired'");
  await addUntilPruned(expired, async () => {
    server.clock.moveOn(61);
    await signIn("ada@example.com", rightPassword);
  });
}

test("a server whose clock is ahead deletes no session, code or count of attempts", async () => {
  await query("delete from service.sessions");
  await signIn("ada@example.com", rightPassword);
  const { body } = await client(server.url, null).post("/auth/email-code", {
    email: "ada@example.com",
  });
  expect(body).toBe(null);
  const before = await everything();
  server.clock.moveOn(40 * 86_400);
  await query(
    `insert into service.sessions (id, user_id, token_hash, proofs, name, last_used_at, expires_at)
     select gen_random_uuid(), user_id, sha256('expired'), proofs, 'expired', last_used_at, now()
     from service.sessions`,
  );
  await signInUntilPruned();
  await query(
    `insert into service.mailed_proofs (purpose, email, code_digest, token_hash, expires_at)
     select purpose, 'expired', code_digest, sha256('expired'), now()
     from service.mailed_proofs
     limit 1`,
  );
  const expired = () => query("select from service.mailed_proofs where email = 'expired'");
  await addUntilPruned(expired, (at) =>
    client(server.url, null).post("/auth/email-code", { email: `${at}@example.com` }),
  );
  server.clock.moveOn(-40 * 86_400);
  expect(await everything()).toEqual(expect.arrayContaining([...before]));
  expect(before.length).toBeGreaterThanOrEqual(3);

  async function everything(): Promise<readonly unknown[]> {
    return query(
      `select id::text as key from service.sessions
       union all select email from service.mailed_proofs
       union all select key from service.attempts`,
    );
  }
});
