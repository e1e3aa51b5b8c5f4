import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAuthenticator } from "../../../support/accounts/authenticator.js";
import { type Client, client } from "../../../support/http/client.js";
import { mailedCode, newestMail, tokenIn } from "../support/mails.js";
import { signInWith } from "../support/people.js";
import { addUntilPruned } from "../support/pruning.js";
import { addSecondStep, forgetProof } from "../support/rows.js";
import { addApp } from "../support/second-step.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

const origin = "https://shop.example.com";

let server: AuthServer;
let operator: Client;
let operatorId: string;

beforeAll(async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false, registration: true, operators: [admin] }\n",
    { SERVICE_WEB_URL: origin },
  );
});
beforeEach(async () => {
  server.clock.moveOn(3601);
  server.outbox.clear();
  await server.services.db.query("delete from service.users");
  await server.services.db.query("delete from service.account_events");
  const { caller } = await signInWith(server, await server.account("op", "admin"));
  operator = caller;
  operatorId = await idOf("op@example.com");
});
afterAll(() => server.close());

interface Shown {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly account: { readonly id: string; readonly email: string | null };
  readonly by: { readonly id: string; readonly email: string | null } | null;
}

interface EventPage {
  readonly data: readonly Shown[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

const path = "/_service/account-events";

async function page(query = ""): Promise<EventPage> {
  const { status, text, body } = await operator.get<EventPage>(path + query);
  expect(status, text).toBe(200);
  return body;
}

async function idOf(email: string): Promise<string> {
  const text = "select id from service.users where email = $1";
  const [row] = await server.services.db.query<{ id: string }>(text, [email]);
  return row?.id ?? "";
}

/** What happened to an account, oldest first, with `by` where it was not its owner. */
async function happened(id: string): Promise<readonly string[]> {
  const { data } = await page(`?perPage=100&filter[accountId]=${id}`);
  return data
    .map(({ kind, by }) => (by?.id === id ? kind : `${kind} by ${by?.email ?? "nobody"}`))
    .toReversed();
}

test("an event has exactly these keys", async () => {
  expect(await page()).toEqual({
    data: [
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        at: server.services.clock.now().toISOString(),
        kind: "signed-in",
        account: { id: operatorId, email: "op@example.com" },
        by: { id: operatorId, email: "op@example.com" },
      },
    ],
    meta: { perPage: 25, next: null },
  });
});

test("an owner's actions are recorded, each once", async () => {
  const email = await server.account("ann");
  const id = await idOf(email);
  const device = await signInWith(server, email);
  const other = await signInWith(server, email);
  const { caller } = device;
  await caller.delete(`/auth/sessions/${other.sessionId}`);
  await caller.delete(`/auth/sessions/${other.sessionId}`);
  await caller.post("/auth/password", { currentPassword: "wrong one", newPassword: "x".repeat(9) });
  await caller.post("/auth/password", {
    currentPassword: rightPassword,
    newPassword: "another password",
  });
  await caller.delete("/auth/sessions");
  await caller.delete("/auth/token");
  const kinds = ["signed-in", "signed-in", "signed-out", "password-changed", "sessions-ended"];
  expect(await happened(id)).toEqual([...kinds, "signed-out"]);
});

test("second steps and passkeys are recorded", async () => {
  const email = await server.account("ann");
  const id = await idOf(email);
  const { caller, token } = await signInWith(server, email);
  await addApp(server, { email, token, caller });
  await caller.post("/auth/two-factor/backup-codes", { password: rightPassword });
  await caller.post("/auth/two-factor/disable", { password: rightPassword });
  const authenticator = newAuthenticator({ origin });
  const options = await caller.post<never>("/auth/passkeys/options", {});
  const credential = authenticator.create(options.body);
  const added = await caller.post<{ id: string }>("/auth/passkeys", { credential });
  expect(added.status, added.text).toBe(201);
  await caller.delete(`/auth/passkeys/${added.body.id}`);
  expect(await happened(id)).toEqual([
    "signed-in",
    "two-factor-on",
    "backup-codes-renewed",
    "two-factor-off",
    "passkey-added",
    "passkey-removed",
  ]);
});

test("registration, adoption and a reset through a mail are recorded", async () => {
  const anonymous = client(server.url, null);
  const email = "ann@example.com";
  await anonymous.post("/auth/register", { name: "Eve", email, password: rightPassword });
  const id = await idOf(email);
  await anonymous.post("/auth/email-code", { email });
  await anonymous.post("/auth/email-code/verify", { email, code: mailedCode(server, email) });
  await anonymous.post("/auth/password/forgot", { email });
  const token = tokenIn(newestMail(server, email, "reset-link").link);
  await anonymous.post("/auth/password/reset", { token, newPassword: rightPassword });
  expect(await happened(id)).toEqual([
    "account-created",
    "signed-in",
    "address-adopted",
    "signed-in",
    "password-reset",
  ]);
});

test("a registration that waits for its verification is recorded once, and a repeated one is not", async () => {
  const waiting = await startAuth(
    "auth: { check_breached_passwords: false, registration: true, require_email_verification: true }\n",
  );
  const anonymous = client(waiting.url, null);
  const registration = { name: "Ann", email: "ann@example.com", password: rightPassword };
  await anonymous.post("/auth/register", registration);
  await anonymous.post("/auth/register", registration);
  const rows = await waiting.services.db.query("select kind from service.account_events");
  expect(rows).toEqual([{ kind: "account-created" }]);
  await waiting.close();
});

test("operators' actions are recorded with their account, and those that change nothing are not", async () => {
  const invitation = { name: "Ann", email: "ann@example.com" };
  const { body } = await operator.post<{ id: string }>("/_service/accounts", invitation);
  const at = `/_service/accounts/${body.id}`;
  await operator.patch(at, { name: "Ann" });
  await operator.patch(at, {});
  await operator.patch(at, { role: "editor" });
  await operator.patch(at, { disabled: true });
  await operator.patch(at, { disabled: true });
  await operator.patch(at, { name: "Ann Lee", disabled: false });
  await operator.delete(`${at}/sessions`);
  await operator.delete(`${at}/two-factor`);
  await addSecondStep(server, "ann@example.com", "email");
  await operator.delete(`${at}/two-factor`);
  await operator.post(`${at}/password-reset`, {});
  const kinds = [
    "account-created",
    "account-changed",
    "account-disabled",
    "account-changed",
    "account-enabled",
    "sessions-ended",
    "two-factor-off",
    "reset-mailed",
  ];
  expect(await happened(body.id)).toEqual(kinds.map((kind) => `${kind} by op@example.com`));
});

test("events outlive their account, without its address", async () => {
  const email = await server.account("ann", "admin");
  const id = await idOf(email);
  const { caller } = await signInWith(server, email);
  await caller.patch(`/_service/accounts/${operatorId}`, { name: "Opal" });
  expect((await operator.delete(`/_service/accounts/${id}`)).status).toBe(204);
  const { data } = await page();
  expect(data.slice(0, 3)).toMatchObject([
    { kind: "account-deleted", account: { id, email: null }, by: { id: operatorId } },
    { kind: "account-changed", account: { id: operatorId }, by: { id, email: null } },
    { kind: "signed-in", account: { id, email: null }, by: { id, email: null } },
  ]);
});

test("an action that fails leaves no event", async () => {
  const email = await server.account("ann");
  const id = await idOf(email);
  await forgetProof(server, email);
  await operator.patch(`/_service/accounts/${operatorId}`, { disabled: true });
  await operator.post("/_service/accounts", { name: "Ann", email });
  await client(server.url, null).post("/auth/token", { email, password: "not the right one" });
  expect(await happened(id)).toEqual([]);
  expect((await page()).data).toHaveLength(1);
});

test("cursors lead through all events once, and belong to their filters", async () => {
  const email = await server.account("ann");
  const id = await idOf(email);
  for (let at = 0; at < 7; at += 1)
    await (await signInWith(server, email)).caller.delete("/auth/token");
  const all = (await page("?perPage=100")).data;
  expect(all).toHaveLength(15);
  const seen: Shown[] = [];
  let query = "?perPage=4&cursor=";
  for (let pages = 0; pages < 4; pages += 1) {
    const { data, meta } = await page(query);
    seen.push(...data);
    expect(meta.perPage).toBe(4);
    expect(meta.next === null).toBe(pages === 3);
    query = `?perPage=4&cursor=${meta.next}`;
  }
  expect(seen).toEqual(all);
  const filtered = await page(`?perPage=3&filter[kind]=signed-out&filter[accountId]=${id}`);
  expect(filtered.data.map(({ kind }) => kind)).toEqual(Array(3).fill("signed-out"));
  const { next } = filtered.meta;
  const onward = await page(
    `?perPage=4&filter[accountId]=${id.toUpperCase()}&filter[kind]=signed-out&cursor=${next}`,
  );
  expect(onward).toMatchObject({
    data: Array(4).fill({ kind: "signed-out" }),
    meta: { next: null },
  });
  for (const wrong of [`cursor=${next}`, `filter[kind]=signed-in&cursor=${next}`, "cursor=x"]) {
    const reply = await operator.get<{ issues: object[] }>(`${path}?${wrong}`);
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ param: "cursor" }]);
  }
});

test("all mistakes of a query are reported at once", async () => {
  const query = "?perPage=0&filter[kind]=slept&filter[accountId]=1&filter[at]=1&sort=at&page=1";
  const reply = await operator.get<{ issues: readonly { param: string }[] }>(path + query);
  expect(reply.status).toBe(400);
  expect(reply.body.issues.map(({ param }) => param).toSorted()).toEqual(
    ["filter[accountId]", "filter[at]", "filter[kind]", "page", "perPage", "sort"].toSorted(),
  );
});

test("only operators read events", async () => {
  const { caller } = await signInWith(server, await server.account("ann", "editor"));
  expect((await caller.get(path)).status).toBe(403);
  expect((await client(server.url, null).get(path)).status).toBe(401);
  const without = await startAuth();
  expect((await client(without.url, null).get(path)).status).toBe(404);
  await without.close();
});

test("events are kept for 400 days", async () => {
  server.clock.moveOn(399 * 86_400);
  const { caller } = await signInWith(server, "op@example.com");
  operator = caller;
  expect((await page()).data).toHaveLength(2);
  server.clock.moveOn(2 * 86_400);
  operator = (await signInWith(server, "op@example.com")).caller;
  expect((await page()).data).toHaveLength(2);
  await server.services.db.query(
    `insert into service.account_events (id, at, kind, account_id)
     select service.lowest_id(at), at, 'signed-in', gen_random_uuid()
     from (select now() - interval '400 days' - at * interval '1 hour' as at
       from generate_series(0, 129) as at) times`,
  );
  const beyondHundred = async () => (await old()).slice(30);
  await addUntilPruned(beyondHundred, async () => {
    server.clock.moveOn(61);
    operator = (await signInWith(server, "op@example.com")).caller;
  });
  expect(await old()).toHaveLength(30);
  const account = `/_service/accounts/${await idOf(await server.account("ann"))}`;
  await addUntilPruned(old, (at) => operator.patch(account, { disabled: at % 2 === 0 }));
});

/** The events of more than a day ago, by PostgreSQL's clock. */
function old(): Promise<readonly unknown[]> {
  const text = "select id from service.account_events where at < now() - interval '1 day'";
  return server.services.db.query(text);
}
