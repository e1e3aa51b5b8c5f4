import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createToken } from "../../../../runtime/auth/index.js";
import { type Client, client } from "../../../support/http/client.js";
import { signInWith } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

let server: AuthServer;
let [ada, chief, helper]: Client[] = [];
const ids: Record<string, string> = {};

const day = 86_400;
const path = "/auth/service-tokens";
const operators = "/_service/service-tokens";

beforeAll(async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false, token_lifetime_days: 2, operators: [chief, helper] }\n",
  );
});
beforeEach(async () => {
  server.clock.moveOn(61);
  await server.services.db.query("delete from service.users");
  await server.services.db.query("delete from service.account_events");
  [ada, chief, helper] = await Promise.all(
    ["ada", "chief", "helper"].map(async (name) => {
      const email = await server.account(name, ...(name === "ada" ? [] : [name]));
      const { caller } = await signInWith(server, email);
      const me = await caller.get<{ user: { id: string } }>("/auth/me");
      ids[name] = me.body.user.id;
      return caller;
    }),
  );
  await server.services.db.query("delete from service.account_events");
});
afterAll(() => server.close());

function of(caller: Client | undefined): Client {
  return caller ?? expect.unreachable();
}

interface Token {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string | null;
  readonly token: string;
}

async function made(
  caller: Client | undefined,
  values: object = { name: "Export" },
): Promise<Token> {
  const { status, body, text } = await of(caller).post<Token>(path, values);
  expect(status, text).toBe(201);
  return body;
}

async function listed(caller: Client | undefined, at = path): Promise<readonly object[]> {
  const { status, body, text } = await of(caller).get<{ data: readonly object[] }>(at);
  expect(status, text).toBe(200);
  return body.data;
}

const events = () =>
  server.services.db.query<object>(
    "select kind, account_id as account, by_id as by from service.account_events order by id",
  );

const inDays = (days: number) =>
  new Date(server.services.clock.now().getTime() + days * day * 1000).toISOString();

test("an account creates, lists and revokes its own", async () => {
  const { token, ...shown } = await made(ada);
  const now = inDays(0);
  expect(shown).toEqual({
    id: shown.id,
    name: "Export",
    createdAt: now,
    lastUsedAt: now,
    expiresAt: inDays(2),
  });
  expect(await listed(ada)).toEqual([shown]);
  expect(await listed(chief)).toEqual([]);
  const robot = client(server.url, token);
  expect((await robot.get("/auth/me")).body).toMatchObject({ user: { id: ids.ada } });
  expect((await of(chief).delete(`${path}/${shown.id}`)).status).toBe(404);
  expect((await of(ada).delete(`${path}/${shown.id.toUpperCase()}`)).status).toBe(204);
  expect((await of(ada).delete(`${path}/${shown.id}`)).status).toBe(404);
  expect((await robot.get("/auth/me")).status).toBe(401);
  expect(await events()).toEqual([
    { kind: "token-created", account: ids.ada, by: ids.ada },
    { kind: "token-revoked", account: ids.ada, by: ids.ada },
  ]);
});

test("it ends after the requested days, never, or with a sign-in's lifetime", async () => {
  expect((await made(ada, { name: "a", days: 1 })).expiresAt).toBe(inDays(1));
  expect((await made(ada, { name: "b", days: null })).expiresAt).toBeNull();
  server.clock.moveOn(1);
  expect((await made(ada, { name: "c" })).expiresAt).toBe(inDays(2));
  server.clock.moveOn(day + 1);
  expect(await listed(ada)).toMatchObject([{ name: "b" }, { name: "c" }]);
});

test("mistakes are reported at their keys", async () => {
  const refused = await of(ada).post(path, { name: " ", days: 0, more: 1 });
  expect(refused).toMatchObject({ status: 422 });
  const { issues } = refused.body as unknown as { issues: { path: string }[] };
  expect(issues.map((issue) => issue.path).sort()).toEqual(["days", "more", "name"]);
  for (const days of [3651, 1.5, "7"]) {
    expect(await of(ada).post(path, { name: "x", days })).toMatchObject({ status: 422 });
  }
  expect((await of(ada).delete(`${path}/x`)).status).toBe(404);
  expect(await listed(ada)).toEqual([]);
});

test("an account has at most a hundred, even if it requests several at once", async () => {
  await server.services.db.query(
    `insert into service.sessions
       (id, user_id, token_hash, name, proofs, created_at, last_used_at, expires_at)
     select gen_random_uuid(), $1, sha256(n::text::bytea), 'x', '{service-token}', $2, $2, 'infinity'
     from generate_series(1, 98) as n`,
    [ids.ada, server.services.clock.now()],
  );
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => of(ada).post(path, { name: "one more" })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
});

test("writes need a fresh sign-in, which a service token never is", async () => {
  const { id, token } = await made(ada);
  const stale = { status: 403, body: { code: "SESSION_NOT_FRESH" } };
  const robot = client(server.url, token);
  expect(await robot.post(path, { name: "another" })).toMatchObject(stale);
  expect(await robot.delete(`${path}/${id}`)).toMatchObject(stale);
  expect(await listed(robot)).toHaveLength(1);
  server.clock.moveOn(day + 1);
  expect(await of(ada).post(path, { name: "" })).toMatchObject(stale);
  expect(await of(ada).delete(`${path}/${id}`)).toMatchObject(stale);
  expect(await of(chief).delete(`${operators}/${id}`)).toMatchObject(stale);
});

test("operators see those of all accounts, and revoke those of accounts that they may write", async () => {
  const own = await made(ada);
  server.clock.moveOn(1);
  const chiefs = await made(chief, { name: "Backup", days: null });
  const { token: _, ...shown } = chiefs;
  const tokens = await listed(helper, operators);
  expect(tokens.at(0)).toEqual({
    ...shown,
    account: { id: ids.chief, email: expect.stringContaining("chief") },
  });
  expect(tokens).toMatchObject([{ id: chiefs.id }, { id: own.id, account: { id: ids.ada } }]);
  expect((await of(ada).get(operators)).status).toBe(403);
  expect((await of(ada).delete(`${operators}/${own.id}`)).status).toBe(403);
  expect((await of(helper).delete(`${operators}/${chiefs.id}`)).status).toBe(403);
  expect((await of(helper).delete(`${operators}/${own.id}`)).status).toBe(204);
  expect((await of(helper).delete(`${operators}/${own.id}`)).status).toBe(404);
  expect((await of(helper).delete(`${operators}/x`)).status).toBe(404);
  expect(await listed(chief)).toHaveLength(1);
  expect((await events()).at(-1)).toEqual({
    kind: "token-revoked",
    account: ids.ada,
    by: ids.helper,
  });
});

test("without operators their paths do not exist", async () => {
  const plain = await startAuth("auth: { check_breached_passwords: false }\n");
  try {
    const email = await plain.account("ada", "chief");
    const { caller } = await signInWith(plain, email);
    expect((await caller.get(operators)).status).toBe(404);
    await createToken(plain.services, { email, name: "x", days: null });
    expect(await listed(caller)).toHaveLength(1);
  } finally {
    await plain.close();
  }
});
