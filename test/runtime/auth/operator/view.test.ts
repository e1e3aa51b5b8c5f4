import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  assignRole,
  deleteAccount,
  disableAccount,
  noAccountRecords,
} from "../../../../runtime/auth/index.js";
import { type Client, client } from "../../../support/http/client.js";
import { signInWith } from "../support/people.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

interface Person {
  readonly id: string;
  readonly email: string;
  readonly caller: Client;
}

let server: AuthServer;
let operator: Person;
let ann: Person;
let names = 0;

beforeAll(async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false, operators: [admin, support] }\n",
    { SERVICE_WEB_URL: "https://shop.example.com" },
  );
});
beforeEach(async () => {
  server.clock.moveOn(61);
  server.outbox.clear();
  await server.services.db.query("delete from service.account_events");
  operator = await addPerson("op", "admin");
  ann = await addPerson("ann");
});
afterAll(() => server.close());

async function addPerson(name: string, role?: string): Promise<Person> {
  names += 1;
  const email = await server.account(`${name}${names}`, role);
  const { caller } = await signInWith(server, email);
  const [row] = await server.services.db.query<{ id: string }>(
    "select id from service.users where email = $1",
    [email],
  );
  return { id: row?.id ?? "", email, caller };
}

interface View {
  readonly token: string;
  readonly expiresAt: string;
}

const reason = "Ticket 4711: the order is missing";

const view = (id: string, by = operator, body: unknown = { reason }) =>
  by.caller.post<View>(`/_service/accounts/${id}/view`, body);

async function seeing(person = ann, by = operator): Promise<Client> {
  const { status, text, body } = await view(person.id, by);
  expect(status, text).toBe(201);
  return client(server.url, body.token);
}

const statusOf = async (caller: Client) => (await caller.get("/auth/me")).status;

test("an operator gets a token that shows what the account sees, for 30 minutes", async () => {
  const { status, headers, body } = await view(ann.id);
  const end = new Date(server.services.clock.now().getTime() + 30 * 60_000).toISOString();
  expect(status).toBe(201);
  expect(body).toEqual({ token: expect.stringMatching(/^view_[\w-]{43}$/), expiresAt: end });
  expect(headers["cache-control"]).toBe("no-store");
  const viewer = client(server.url, body.token);
  const me = await viewer.get<{ user: object; session: object }>("/auth/me");
  expect(me.body).toEqual({
    user: expect.objectContaining({ id: ann.id, email: ann.email }),
    session: { id: expect.any(String) },
    operator: false,
    viewer: { id: operator.id, name: operator.email.split("@")[0] },
  });
  expect((await viewer.get("/auth/config")).status).toBe(200);
  server.clock.moveOn(30 * 60 - 1);
  expect(await statusOf(viewer)).toBe(200);
  server.clock.moveOn(1);
  expect(await statusOf(viewer)).toBe(401);
});

test("everyone else is without a viewer", async () => {
  const { body } = await ann.caller.get("/auth/me");
  expect(Object.keys(body)).toEqual(["user", "session", "operator"]);
});

test("below /auth the token only reads its account and the settings", async () => {
  const viewer = await seeing();
  const refused = [
    ["GET", "/auth/sessions"],
    ["HEAD", "/auth/sessions"],
    ["DELETE", "/auth/sessions"],
    ["DELETE", "/auth/token"],
    ["GET", "/auth/passkeys"],
    ["GET", "/auth/service-tokens"],
    ["POST", "/auth/service-tokens"],
    ["PATCH", "/auth/me"],
    ["POST", "/auth/password"],
    ["POST", "/auth/email/change"],
    ["POST", "/auth/two-factor/enable"],
  ] as const;
  for (const [method, path] of refused) {
    const { status } = await viewer.send(method, path, { headers: { "content-length": 0 } });
    expect([method, path, status]).toEqual([method, path, 403]);
  }
  const verified = await viewer.post("/auth/email/change/verify", { code: "123456" });
  expect(verified.status).toBe(403);
});

test("a view creates no other token, and manages no account", async () => {
  const viewer = await seeing();
  expect((await viewer.post(`/_service/accounts/${ann.id}/view`, { reason })).status).toBe(403);
  expect((await viewer.get("/_service/accounts")).status).toBe(403);
  expect((await viewer.get("/_service/account-events")).status).toBe(403);
});

test("refuses operators, oneself and disabled accounts", async () => {
  const other = await addPerson("other", "support");
  for (const id of [operator.id, other.id]) {
    const { status, body } = await view(id);
    expect([status, body]).toEqual([422, { error: expect.any(String) }]);
  }
  // Also those that the caller may not write.
  expect((await view(operator.id, other)).status).toBe(422);
  await disableAccount(server.services, ann.email);
  expect((await view(ann.id)).status).toBe(422);
  expect((await view("01890000-0000-7000-8000-000000000001")).status).toBe(404);
  expect((await view("nonsense")).status).toBe(404);
});

test("refuses a reason that is missing, empty or longer than 200 characters", async () => {
  const reasons = [undefined, null, "", "  ", "x".repeat(201), 7];
  for (const one of reasons)
    expect((await view(ann.id, operator, { reason: one })).status).toBe(422);
  expect((await view(ann.id, operator, { reason, role: "admin" })).status).toBe(422);
  expect((await view(ann.id, operator, { reason: "é".repeat(200) })).status).toBe(201);
  expect((await view(ann.id, operator, "no object")).status).toBe(400);
});

test("refuses callers without the role, and operators who did not sign in within a day", async () => {
  const bob = await addPerson("bob");
  expect((await view(ann.id, bob)).status).toBe(403);
  const anonymous = client(server.url, null);
  const path = `/_service/accounts/${ann.id}/view`;
  expect((await anonymous.post(path, { reason })).status).toBe(401);
  const made = await operator.caller.post<{ token: string }>("/auth/service-tokens", { name: "x" });
  const program = client(server.url, made.body.token);
  expect((await program.post(path, { reason })).body).toMatchObject({ code: "SESSION_NOT_FRESH" });
  server.clock.moveOn(86_401);
  expect((await view(ann.id)).body).toMatchObject({ code: "SESSION_NOT_FRESH" });
});

test("the account gets a notice, and sees a device that does not count as use", async () => {
  const before = await operator.caller.get<{ lastUsedAt: string }>(`/_service/accounts/${ann.id}`);
  server.clock.moveOn(600);
  const viewer = await seeing();
  server.clock.moveOn(600);
  expect(await statusOf(viewer)).toBe(200);
  expect(server.outbox.notices).toMatchObject([{ kind: "viewed-as", to: ann.email }]);
  const after = await operator.caller.get<{ lastUsedAt: string; sessions: readonly object[] }>(
    `/_service/accounts/${ann.id}`,
  );
  expect(after.body.lastUsedAt).toBe(before.body.lastUsedAt);
  const at = new Date(server.services.clock.now().getTime() - 600_000).toISOString();
  expect(after.body.sessions).toHaveLength(2);
  expect(after.body.sessions).toContainEqual({
    ...{ kind: "view", id: expect.any(String), name: operator.email.split("@")[0] },
    ...{ browser: null, ipAddress: null, current: false, createdAt: at, lastUsedAt: at },
    expiresAt: new Date(Date.parse(at) + 30 * 60_000).toISOString(),
  });
});

test("the event has the operator and the reason", async () => {
  await seeing();
  const { body } = await operator.caller.get<{ data: readonly object[] }>(
    "/_service/account-events?filter[kind]=viewed-as",
  );
  expect(body.data).toEqual([
    {
      ...{ id: expect.any(String), at: server.services.clock.now().toISOString() },
      ...{ kind: "viewed-as", account: { id: ann.id, email: ann.email } },
      ...{ by: { id: operator.id, email: operator.email }, reason },
    },
  ]);
  const all = await operator.caller.get<{ data: readonly { kind: string }[] }>(
    "/_service/account-events",
  );
  for (const one of all.body.data) expect("reason" in one).toBe(one.kind === "viewed-as");
});

test("it ends none of a hundred devices", async () => {
  const { db } = server.services;
  await db.query(
    `insert into service.sessions (id, user_id, token_hash, proofs, last_used_at, expires_at)
     select gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), '{password}', '2029-12-31', '2031-01-01'
     from generate_series(1, 99)`,
    [ann.id],
  );
  await seeing();
  const counted = await db.query("select 1 from service.sessions where user_id = $1", [ann.id]);
  expect(counted).toHaveLength(101);
  // Nor does a sign-in end it.
  const viewer = await seeing();
  await signInWith(server, ann.email);
  expect(await statusOf(viewer)).toBe(200);
});

test("the account ends it as a device", async () => {
  const viewer = await seeing();
  const { body } = await ann.caller.get<{ data: readonly { id: string; kind?: string }[] }>(
    "/auth/sessions",
  );
  const [{ id = "" } = {}] = body.data.filter(({ kind }) => kind === "view");
  expect((await ann.caller.delete(`/auth/sessions/${id}`)).status).toBe(204);
  expect(await statusOf(viewer)).toBe(401);
});

test("it ends with the operator's role, even if the role is restored", async () => {
  const viewer = await seeing();
  await assignRole(server.services, { email: operator.email, role: "support" });
  expect(await statusOf(viewer)).toBe(200);
  await assignRole(server.services, { email: operator.email, role: null });
  expect(await statusOf(viewer)).toBe(401);
  await assignRole(server.services, { email: operator.email, role: "admin" });
  expect(await statusOf(viewer)).toBe(401);
});

test("it ends when the operator is disabled, deleted or signed out everywhere", async () => {
  await addPerson("last", "admin");
  const ends = [
    () => operator.caller.delete("/auth/sessions"),
    () =>
      operator.caller.post("/auth/password", {
        currentPassword: rightPassword,
        newPassword: "another password",
      }),
    () => disableAccount(server.services, operator.email),
    () => deleteAccount(server.services, { email: operator.email, records: noAccountRecords }),
  ];
  for (const end of ends) {
    operator = await addPerson("op", "admin");
    const viewer = await seeing();
    await end();
    expect(await statusOf(viewer)).toBe(401);
    const { body } = await ann.caller.get<{ data: readonly object[] }>("/auth/sessions");
    expect(body.data).toHaveLength(1);
  }
});

test("it ends when the account is disabled, deleted or becomes an operator", async () => {
  const ends = [
    ({ email }: Person) => disableAccount(server.services, email),
    ({ email }: Person) => assignRole(server.services, { email, role: "support" }),
    ({ email }: Person) => deleteAccount(server.services, { email, records: noAccountRecords }),
  ];
  for (const end of ends) {
    const person = await addPerson("person");
    const viewer = await seeing(person);
    await end(person);
    expect(await statusOf(viewer)).toBe(401);
  }
});

test("its token is invalid with another prefix, and tokens of other kinds are invalid with its prefix", async () => {
  const { body } = await view(ann.id);
  const secret = body.token.slice("view_".length);
  for (const token of [secret, `app_${secret}`, `VIEW_${secret}`, `view_${body.token}`]) {
    expect(await statusOf(client(server.url, token))).toBe(401);
  }
  const signedIn = await signInWith(server, ann.email);
  expect(await statusOf(client(server.url, `view_${signedIn.token}`))).toBe(401);
});
