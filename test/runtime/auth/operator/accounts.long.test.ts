import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { atOnce, countStatuses } from "../support/concurrency.js";
import { newestMail, tokenIn } from "../support/mails.js";
import { signInWith, statusesOf, trySignIn } from "../support/people.js";
import { addPasskey, addSecondStep, disable, forgetProof } from "../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

const settings =
  "auth: { check_breached_passwords: false, registration: true, operators: [admin, support] }\n";

let server: AuthServer;
let operator: Client;
let operatorId: string;
let names = 0;

beforeAll(async () => {
  server = await startAuth(settings);
});
beforeEach(async () => {
  server.clock.moveOn(3601);
  server.outbox.clear();
  await server.services.db.query("delete from service.users");
  const { caller } = await signInWith(server, await server.account("op", "admin"));
  operator = caller;
  operatorId = await idOf("op@example.com");
});
afterAll(() => server.close());

const accounts = "/_service/accounts";

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string | null;
  readonly disabled: boolean;
}

async function idOf(email: string): Promise<string> {
  const text = "select id from service.users where email = $1";
  const [row] = await server.services.db.query<{ id: string }>(text, [email]);
  return row?.id ?? "";
}

/** A new account, and its id. */
async function somebody(role?: string): Promise<{ readonly email: string; readonly id: string }> {
  names += 1;
  const email = await server.account(`somebody-${names}`, role);
  return { email, id: await idOf(email) };
}

const listed = (query = "") =>
  operator.get<{ data: readonly Shown[]; meta: object }>(`${accounts}${query}`);

async function emails(query: string): Promise<readonly string[]> {
  const { status, text, body } = await listed(query);
  expect(status, text).toBe(200);
  return body.data.map(({ email }) => email.replace("@example.com", ""));
}

const issuesOf = (reply: Reply) => (reply.body as { issues?: readonly object[] }).issues;

test("without operators in the configuration the paths do not exist, for any caller", async () => {
  const without = await startAuth();
  const { caller } = await signInWith(without, await without.account("ann", "admin"));
  for (const path of [accounts, `${accounts}/${operatorId}`]) {
    expect((await caller.get(path)).status).toBe(404);
    expect((await client(without.url, null).get(path)).status).toBe(404);
  }
  await without.close();
});

test("only an operator can see whether an account exists", async () => {
  const { email, id } = await somebody("editor");
  const { caller } = await signInWith(server, email);
  const unknown = "0190a000-0000-7000-8000-000000000000";
  const answers = async (asker: Client, target: string) => [
    await asker.get(`${accounts}/${target}`),
    await asker.patch(`${accounts}/${target}`, { role: "admin" }),
    await asker.delete(`${accounts}/${target}`),
    await asker.delete(`${accounts}/${target}/sessions`),
    await asker.delete(`${accounts}/${target}/two-factor`),
    await asker.post(`${accounts}/${target}/password-reset`, {}),
    await asker.post(accounts, { name: "Ann", email }),
    await asker.get(accounts),
  ];
  for (const target of [id, unknown, "x"]) {
    const mine = await answers(caller, target);
    expect(mine.map(({ status }) => status)).toEqual(mine.map(() => 403));
    expect(new Set(mine.map(({ text }) => text)).size).toBe(1);
    const theirs = await answers(client(server.url, null), target);
    expect(theirs.map(({ status }) => status)).toEqual(theirs.map(() => 401));
  }
});

test("an account is listed with exactly these keys", async () => {
  const { email } = await somebody("editor");
  await addSecondStep(server, email, "email");
  const { body } = await listed("?filter[role]=editor");
  expect(body).toEqual({
    data: [
      {
        id: await idOf(email),
        name: email.split("@")[0],
        email,
        role: "editor",
        emailVerified: true,
        twoFactorEnabled: true,
        disabled: false,
        createdAt: server.services.clock.now().toISOString(),
        lastUsedAt: null,
      },
    ],
    meta: { page: 1, perPage: 25, total: 1, totalPages: 1 },
  });
});

test("accounts are listed newest first, in pages, and by each sort key", async () => {
  for (const [name, role] of [
    ["cleo", "editor"],
    ["Ann", undefined],
    ["bob", "author"],
  ] as const) {
    server.clock.moveOn(1);
    await server.account(name.toLowerCase(), role);
    await server.services.db.query("update service.users set name = $1 where email = $2", [
      name,
      `${name.toLowerCase()}@example.com`,
    ]);
  }
  expect(await emails("")).toEqual(["bob", "ann", "cleo", "op"]);
  expect(await emails("?page=2&perPage=3")).toEqual(["op"]);
  expect(await emails("?page=3&perPage=3")).toEqual([]);
  expect(await emails("?sort=createdAt")).toEqual(["op", "cleo", "ann", "bob"]);
  expect(await emails("?sort=name")).toEqual(["ann", "bob", "cleo", "op"]);
  expect(await emails("?sort=-email")).toEqual(["op", "cleo", "bob", "ann"]);
  expect(await emails("?sort=role")).toEqual(["op", "bob", "cleo", "ann"]);
  expect(await emails("?sort=-role")).toEqual(["cleo", "bob", "op", "ann"]);
  server.clock.moveOn(100);
  await signInWith(server, "cleo@example.com");
  expect((await emails("?sort=-lastUsedAt")).slice(0, 2)).toEqual(["cleo", "op"]);
  expect((await emails("?sort=lastUsedAt")).slice(0, 2)).toEqual(["op", "cleo"]);
  expect((await listed("?page=2&perPage=3")).body.meta).toEqual({
    page: 2,
    perPage: 3,
    total: 4,
    totalPages: 2,
  });
});

test("accounts are found by a part of name or address, by role and by whether they are disabled", async () => {
  await server.account("ann_lee", "editor");
  await server.account("bob");
  await disable(server, "bob@example.com");
  expect(await emails("?q=NN_L")).toEqual(["ann_lee"]);
  expect(await emails("?q=%25")).toEqual([]);
  expect(await emails("?q=")).toHaveLength(3);
  expect(await emails("?q=bob%40EXAMPLE")).toEqual(["bob"]);
  expect(await emails("?filter[role]=editor")).toEqual(["ann_lee"]);
  expect(await emails("?filter[role]=")).toEqual(["bob"]);
  expect(await emails("?filter[disabled]=true")).toEqual(["bob"]);
  expect(await emails("?filter[disabled]=false&sort=email")).toEqual(["ann_lee", "op"]);
  expect(await emails("?filter[disabled]=true&filter[role]=editor")).toEqual([]);
});

test("all mistakes of a query are reported at once", async () => {
  const query = `?page=0&perPage=101&sort=password&filter[name]=a&filter[role][ne]=a&filter[disabled]=1&x=1&q=${"x".repeat(201)}`;
  const reply = await operator.get<{ issues: readonly { param: string }[] }>(accounts + query);
  expect(reply.status).toBe(400);
  expect(reply.body.issues.map(({ param }) => param).sort()).toEqual(
    [
      "page",
      "perPage",
      "sort",
      "q",
      "filter[name]",
      "filter[role][ne]",
      "filter[disabled]",
      "x",
    ].sort(),
  );
  expect((await operator.get(`${accounts}?sort=__proto__`)).status).toBe(400);
});

test("one account has its sessions, as its owner sees them", async () => {
  const { email, id } = await somebody();
  const { caller, sessionId } = await signInWith(server, email, { deviceName: "Phone" });
  const own = await caller.get<{ data: readonly object[] }>("/auth/sessions");
  const { status, body } = await operator.get<{ sessions: readonly object[] }>(`${accounts}/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, email, lastUsedAt: expect.any(String) });
  expect(body.sessions).toEqual(own.body.data.map((one) => ({ ...one, current: false })));
  expect(body.sessions).toMatchObject([{ id: sessionId, name: "Phone" }]);
  const mine = await operator.get<{ sessions: readonly object[] }>(`${accounts}/${operatorId}`);
  expect(mine.body.sessions).toMatchObject([{ current: true }]);
  expect((await operator.get(`${accounts}/0190a000-0000-7000-8000-000000000000`)).status).toBe(404);
  expect((await operator.get(`${accounts}/nobody`)).status).toBe(404);
});

test("other methods on the paths are 405 with the allowed ones", async () => {
  const reply = await operator.put(`${accounts}/${operatorId}`, {});
  expect(reply.status).toBe(405);
  expect(reply.headers.allow).toBe("GET, HEAD, PATCH, DELETE, OPTIONS");
  expect((await operator.get(`${accounts}/${operatorId}/sessions`)).status).toBe(405);
});

test("an invitation is a link of seven days that greets by name and keeps name and role", async () => {
  const reply = await operator.post<Shown>(accounts, {
    name: " Ann Lee ",
    email: "ANN@example.com",
    role: "editor",
  });
  expect(reply.status).toBe(201);
  expect(reply.headers.location).toBe(`/api${accounts}/${reply.body.id}`);
  expect(reply.body).toEqual({
    id: await idOf("ann@example.com"),
    name: "Ann Lee",
    email: "ann@example.com",
    role: "editor",
    emailVerified: false,
    twoFactorEnabled: false,
    disabled: false,
    createdAt: server.services.clock.now().toISOString(),
    lastUsedAt: null,
  });
  const mail = newestMail(server, "ann@example.com", "invitation");
  expect(mail).toMatchObject({ name: "Ann Lee", minutes: 7 * 24 * 60 });
  expect(mail.link).toMatch(/^http:\/\/localhost:3001\/reset-password\?token=/);

  server.clock.moveOn(7 * 86_400 - 5);
  const token = tokenIn(mail.link);
  const anonymous = client(server.url, null);
  const set = () => anonymous.post("/auth/password/reset", { token, newPassword: rightPassword });
  expect((await set()).status).toBe(204);
  expect((await set()).body).toMatchObject({ code: "INVALID_TOKEN" });
  const { caller } = await signInWith(server, "ann@example.com");
  const me = await caller.get<{ user: object }>("/auth/me");
  expect(me.body.user).toMatchObject({ name: "Ann Lee", role: "editor", emailVerified: true });
  expect(server.outbox.notices).toEqual([]);
});

test("an invitation ends after seven days, and neither a requested reset nor a registration ends it", async () => {
  await operator.post(accounts, { name: "Ann", email: "ann@example.com" });
  const { link } = newestMail(server, "ann@example.com", "invitation");
  const anonymous = client(server.url, null);
  await anonymous.post("/auth/password/forgot", { email: "ann@example.com" });
  expect(newestMail(server, "ann@example.com", "reset-link")).toMatchObject({ name: "Ann" });
  const registration = { name: "Eve", email: "ann@example.com", password: rightPassword };
  expect((await anonymous.post("/auth/register", registration)).status).toBe(422);
  server.clock.moveOn(7 * 86_400 + 1);
  const late = await anonymous.post("/auth/password/reset", {
    token: tokenIn(link),
    newPassword: rightPassword,
  });
  expect(late.body).toMatchObject({ code: "INVALID_TOKEN" });
});

test("an invited person who signs in by mail keeps name and role, and the invitation ends", async () => {
  await operator.post(accounts, { name: "Ann Lee", email: "ann@example.com", role: "editor" });
  const { link } = newestMail(server, "ann@example.com", "invitation");
  const anonymous = client(server.url, null);
  await anonymous.post("/auth/email-code", { email: "ann@example.com" });
  const { code } = newestMail(server, "ann@example.com", "sign-in-code");
  const reply = await anonymous.post<{ user: object }>("/auth/email-code/verify", {
    email: "ann@example.com",
    code,
  });
  expect(reply.status).toBe(201);
  expect(reply.body.user).toMatchObject({ name: "Ann Lee", role: "editor" });
  const late = { token: tokenIn(link), newPassword: rightPassword };
  expect((await anonymous.post("/auth/password/reset", late)).status).toBe(401);
});

test("an invitation is refused for a taken or malformed address, and for unknown keys", async () => {
  const { email } = await somebody();
  const taken = await operator.post(accounts, { name: "Ann", email });
  expect(taken.status).toBe(422);
  expect(taken.body).toMatchObject({ code: "USER_ALREADY_EXISTS", issues: [{ path: "email" }] });
  const wrong = await operator.post(accounts, { name: " ", email: "ann", role: "", password: "x" });
  expect(wrong.status).toBe(422);
  expect(issuesOf(wrong)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ path: "name" }),
      expect.objectContaining({ path: "email" }),
      expect.objectContaining({ path: "role" }),
      expect.objectContaining({ path: "password" }),
    ]),
  );
  expect((await operator.send("POST", accounts, { text: "{" })).status).toBe(400);
  expect(await emails("")).toHaveLength(2);
});

test("one of twenty concurrent invitations of an address creates an account and a mail", async () => {
  const invitation = { name: "Ann", email: "ann@example.com" };
  const replies = await atOnce(20, () => operator.post(accounts, invitation));
  expect(countStatuses(replies)).toEqual({ 201: 1, 422: 19 });
  expect(server.outbox.to("ann@example.com")).toHaveLength(1);
});

test("name and role are changed at once, and an empty change changes nothing", async () => {
  const { email, id } = await somebody("editor");
  const { caller } = await signInWith(server, email);
  const reply = await operator.patch<Shown>(`${accounts}/${id}`, { name: "Ann", role: null });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ id, name: "Ann", role: null });
  const me = await caller.get<{ user: object }>("/auth/me");
  expect(me.body.user).toMatchObject({ name: "Ann", role: null });
  const unchanged = await operator.patch(`${accounts}/${id}`, {});
  expect({ status: unchanged.status, body: unchanged.body }).toEqual({
    status: 200,
    body: { ...reply.body, lastUsedAt: expect.any(String) },
  });
});

test("a change is refused with all its mistakes", async () => {
  const { id } = await somebody();
  const change = { name: null, role: 1, disabled: "yes", email: "x" };
  const reply = await operator.patch(`${accounts}/${id}`, change);
  expect(reply.status).toBe(422);
  const paths = issuesOf(reply)?.map((issue) => (issue as { path: string }).path);
  expect(paths?.toSorted()).toEqual(["disabled", "email", "name", "role"]);
  // The form of the body is judged before the account is looked for, its values after.
  for (const nobody of ["0190a000-0000-7000-8000-000000000000", "x"]) {
    expect((await operator.patch(`${accounts}/${nobody}`, change)).status).toBe(404);
    const unread = await operator.send("PATCH", `${accounts}/${nobody}`, { text: "{" });
    expect(unread.status).toBe(400);
  }
});

test("a disabled account is signed out at once and admits no sign-in until it is enabled", async () => {
  const { email, id } = await somebody();
  const devices = [await signInWith(server, email), await signInWith(server, email)];
  const disabled = await operator.patch(`${accounts}/${id}`, { disabled: true });
  expect(disabled.body).toMatchObject({ disabled: true, lastUsedAt: null });
  expect(await statusesOf(devices)).toEqual([401, 401]);
  expect((await trySignIn(server, email)).status).toBe(401);
  expect((await operator.patch(`${accounts}/${id}`, { disabled: false })).status).toBe(200);
  await signInWith(server, email);
});

test("the sessions of an account are ended, pending sign-ins included", async () => {
  const { email, id } = await somebody();
  const devices = [await signInWith(server, email)];
  await addSecondStep(server, email, "email");
  const { challenge } = (await trySignIn(server, email)).body;
  expect((await operator.delete(`${accounts}/${id}/sessions`)).status).toBe(204);
  expect(await statusesOf(devices)).toEqual([401]);
  const dead = await client(server.url, null).post("/auth/two-factor/send", { challenge });
  expect(dead.body).toMatchObject({ code: "OTP_EXPIRED" });
});

test("the second step is disabled with a notice to its owner, but not the operator's own", async () => {
  const { email, id } = await somebody();
  await addSecondStep(server, email, "authenticator");
  expect((await operator.delete(`${accounts}/${id}/two-factor`)).status).toBe(204);
  expect((await operator.delete(`${accounts}/${id}/two-factor`)).status).toBe(204);
  expect(server.outbox.notices).toMatchObject([{ to: email, kind: "second-step-off" }]);
  await signInWith(server, email);
  await addSecondStep(server, "op@example.com", "email");
  expect((await operator.delete(`${accounts}/${operatorId}/two-factor`)).status).toBe(422);
});

test("a reset link is mailed, six times an hour, whatever strangers have requested", async () => {
  const { email, id } = await somebody();
  const anonymous = client(server.url, null);
  for (let at = 0; at < 7; at += 1) await anonymous.post("/auth/password/forgot", { email });
  server.outbox.clear();
  const replies: Reply[] = [];
  for (let at = 0; at < 7; at += 1) {
    replies.push(await operator.post(`${accounts}/${id}/password-reset`, {}));
  }
  expect(countStatuses(replies)).toEqual({ 204: 6, 429: 1 });
  expect(server.outbox.to(email)).toHaveLength(6);
  const token = tokenIn(newestMail(server, email, "reset-link").link);
  const newPassword = "another right password";
  expect((await anonymous.post("/auth/password/reset", { token, newPassword })).status).toBe(204);
  await disable(server, email);
  expect((await operator.post(`${accounts}/${id}/password-reset`, {})).status).toBe(422);
});

test("a deleted account is removed with its devices, passkeys and second step", async () => {
  const { email, id } = await somebody("admin");
  const device = await signInWith(server, email);
  await addPasskey(server, email);
  await addSecondStep(server, email, "email");
  await client(server.url, null).post("/auth/password/forgot", { email });
  const { link } = newestMail(server, email, "reset-link");
  expect((await operator.delete(`${accounts}/${id}`)).status).toBe(204);
  expect(await statusesOf([device])).toEqual([401]);
  expect((await operator.delete(`${accounts}/${id}`)).status).toBe(404);
  expect(await server.services.db.query("select id from service.passkeys")).toEqual([]);
  await operator.post(accounts, { name: "Ann", email });
  const reset = { token: tokenIn(link), newPassword: rightPassword };
  expect((await client(server.url, null).post("/auth/password/reset", reset)).status).toBe(401);
});

test("operators cannot disable, demote or delete their own account", async () => {
  await somebody("admin");
  const own = `${accounts}/${operatorId}`;
  const disabled = await operator.patch(own, { disabled: true });
  expect(disabled.status).toBe(422);
  expect(issuesOf(disabled)).toMatchObject([{ path: "disabled" }]);
  for (const role of [null, "editor"]) {
    const demoted = await operator.patch(own, { role });
    expect(demoted.status).toBe(422);
    expect(issuesOf(demoted)).toMatchObject([{ path: "role" }]);
  }
  const deleted = await operator.delete(own);
  expect({ status: deleted.status, body: deleted.body }).toEqual({
    status: 422,
    body: { error: expect.any(String) },
  });
  expect((await operator.patch(own, { name: "Op", role: "support", disabled: false })).status).toBe(
    200,
  );
  expect((await operator.get(accounts)).status).toBe(200);
});

test("of ten operators who demote, disable and delete each other concurrently, one remains", async () => {
  const team = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const { email, id } = await somebody("admin");
      return { id, caller: (await signInWith(server, email)).caller };
    }),
  );
  const all = [...team, { id: operatorId, caller: operator }];
  const replies: Reply[] = [];
  await Promise.all(
    all.map(async ({ id, caller }, at) => {
      const others = all.filter((other) => other.id !== id);
      for (const [to, other] of others.entries()) {
        const path = `${accounts}/${other.id}`;
        const change = (at + to) % 3 === 1 ? { disabled: true } : { role: null };
        replies.push(
          await ((at + to) % 3 === 0 ? caller.delete(path) : caller.patch(path, change)),
        );
      }
    }),
  );
  expect(Object.keys(countStatuses(replies)).filter((status) => Number(status) >= 500)).toEqual([]);
  const left = await server.services.db.query(
    "select id from service.users where role = 'admin' and disabled_at is null",
  );
  expect(left).toHaveLength(1);
});

test("writes need a sign-in of the last 24 hours, reads do not", async () => {
  const { email, id } = await somebody();
  server.clock.moveOn(86_400 - 5);
  expect((await operator.patch(`${accounts}/${id}`, {})).status).toBe(200);
  server.clock.moveOn(10);
  const stale = [
    await operator.post(accounts, { name: "Ann", email: "ann@example.com" }),
    await operator.patch(`${accounts}/${id}`, { name: "Ann" }),
    await operator.delete(`${accounts}/${id}`),
    await operator.delete(`${accounts}/${id}/sessions`),
    await operator.delete(`${accounts}/${id}/two-factor`),
    await operator.post(`${accounts}/${id}/password-reset`, {}),
  ];
  for (const { status, body } of stale) {
    expect({ status, body }).toMatchObject({ status: 403, body: { code: "SESSION_NOT_FRESH" } });
  }
  expect((await operator.get(`${accounts}/${id}`)).body).toMatchObject({ email, disabled: false });
});

test("an unverified account that was not invited loses its name as before", async () => {
  const { email } = await somebody("editor");
  await forgetProof(server, email);
  await server.services.db.query("update service.users set name = 'Eve' where email = $1", [email]);
  const anonymous = client(server.url, null);
  await anonymous.post("/auth/password/forgot", { email });
  const { name, link } = newestMail(server, email, "reset-link");
  expect(name).toBeNull();
  await anonymous.post("/auth/password/reset", {
    token: tokenIn(link),
    newPassword: rightPassword,
  });
  const { caller } = await signInWith(server, email);
  const me = await caller.get<{ user: object }>("/auth/me");
  expect(me.body.user).toMatchObject({ name: email.split("@")[0] });
});

test("no role begins with the prefixes by which rules name members", async () => {
  const { id } = await somebody();
  const issues = [{ path: "role", message: 'Must not begin with "owner."' }];
  const refused = await operator.patch(`${accounts}/${id}`, { role: "owner.lead" });
  expect([refused.status, issuesOf(refused)]).toEqual([422, issues]);
  const invited = { name: "Ann", email: "ann.lead@example.com", role: "owner.lead" };
  const invitation = await operator.post(accounts, invited);
  expect([invitation.status, issuesOf(invitation)]).toEqual([422, issues]);
});
