import { createHmac, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { lockNumbers } from "../../runtime/db/index.js";
import {
  type Receiver,
  type Respond,
  startReceiver,
} from "../runtime/webhooks/support/receiver.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let chief: RuledCaller;
let clerk: RuledCaller;
const receivers: Receiver[] = [];

const fields =
  "fields: { name: { type: string, required: true }, price: { type: number, integer: true } }\n";

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["products.yaml", `changes: true\n${fields}`],
      [
        "orders.yaml",
        `changes: { history: 30 }
owner: buyerId
access: { read: [clerk, owner], write: signed-in }
fields:
  buyerId: { type: belongsTo, resource: users, required: true }
  note: { type: text }
  margin: { type: number, integer: true, access: { read: [clerk] } }
`,
      ],
      ["ledgers.yaml", `changes: true\naccess: { read: [clerk], write: signed-in }\n${fields}`],
      ["plans.yaml", fields],
    ]),
    settings: `auth: { check_breached_passwords: false, operators: [chief] }
server: { host: 127.0.0.1 }
webhooks: { allow: [127.0.0.1] }
`,
  });
  chief = await app.caller("chief");
  clerk = await app.caller("clerk");
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()));
  await app.db.query("truncate service.webhooks, service.webhook_deliveries");
});
afterAll(() => app.close());

const path = "/_service/webhooks";
const none = "00000000-0000-4000-8000-000000000000";

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly disabled: boolean;
  readonly createdAt: string;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly status: number | null;
  readonly at: string;
  readonly nextAt: string | null;
}

interface Page {
  readonly data: readonly Delivery[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

async function receiver(respond?: Respond): Promise<Receiver> {
  const started = await startReceiver(respond);
  receivers.push(started);
  return started;
}

async function made(values: object, by: Client = chief.client): Promise<Webhook> {
  const reply = await by.post<Webhook>(path, {
    url: "https://receiver.example/hook",
    events: ["products.*"],
    ...values,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function add(resource: string, values: object, by: Client = chief.client): Promise<string> {
  const reply = await by.post<{ id: string }>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

function asked({ client }: RuledCaller, method: string, below: string) {
  const sent = method === "POST" || method === "PATCH" ? { text: "{}" } : {};
  return client.send<{ code?: string }>(method, path + below, sent);
}

const bodies = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body));
const received = (one: Receiver) =>
  bodies(one).map(({ type, data }) => [type, data.id, data.changed]);

async function deliveries({ id }: Webhook, query = ""): Promise<Page> {
  const reply = await chief.client.get<Page>(`${path}/${id}/deliveries${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

test("operators create, list, read, change and delete webhooks; the secret is shown once", async () => {
  const created = await made({ events: ["products.created", "products.created", "orders.*"] });
  expect(created).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    url: "https://receiver.example/hook",
    events: ["products.created", "orders.*"],
    disabled: false,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
  const { secret, ...shown } = created;
  const one = `${path}/${created.id}`;
  expect((await chief.client.get(path)).body).toEqual({ data: [shown] });
  expect((await chief.client.get(one)).body).toEqual(shown);
  const changed = await chief.client.patch(one, { disabled: true, events: ["ledgers.deleted"] });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ ...shown, disabled: true, events: ["ledgers.deleted"] });
  const other = await chief.client.post<{ secret: string }>(`${one}/secret`, {});
  expect(other.status).toBe(200);
  expect(other.body).toEqual({ secret: expect.stringMatching(/^whsec_/) });
  expect(other.body.secret).not.toBe(secret);
  expect((await chief.client.delete(one)).status).toBe(204);
  expect((await chief.client.get(one)).status).toBe(404);
});

test.each([
  [{ url: "x" }, "url"],
  [{ url: "ftp://receiver.example" }, "url"],
  [{ url: "https://user:secret@receiver.example" }, "url"],
  [{ url: "http://receiver.example" }, "url"],
  [{ url: "http://127.0.0.2" }, "url"],
  [{ url: "https://10.0.0.1" }, "url"],
  [{ url: "https://0x0a.1" }, "url"],
  [{ url: "https://2130706434" }, "url"],
  [{ url: "https://0251.0376.0251.0376/" }, "url"],
  [{ url: "https://[::1]" }, "url"],
  [{ url: "https://[::ffff:10.0.0.1]" }, "url"],
  [{ url: "https://[64:ff9b::a9fe:a9fe]" }, "url"],
  [{ url: "https://[2002:a00:1::]" }, "url"],
  [{ url: 1 }, "url"],
  [{ events: [] }, "events"],
  [{ events: "products.*" }, "events"],
  [{ events: ["products.*", "plans.created"] }, "events.1"],
  [{ events: ["products.removed"] }, "events.0"],
  [{ events: ["*"] }, "events.0"],
  [{ disabled: 1 }, "disabled"],
  [{ secret: "whsec_x" }, "secret"],
])("%j is a mistake at %s", async (values, at) => {
  const reply = await chief.client.post<{ issues: { path: string }[] }>(path, {
    url: "https://receiver.example",
    events: ["products.*"],
    ...values,
  });
  expect(reply.status, reply.text).toBe(422);
  expect(reply.body.issues.map((issue) => issue.path)).toEqual([at]);
});

test("an address has at most 2,000 characters", async () => {
  const url = `https://receiver.example/${"x".repeat(2_000)}`;
  expect((await chief.client.post(path, { url, events: ["products.*"] })).status).toBe(422);
});

test("an address that the settings allow may be called without TLS", async () => {
  expect((await made({ url: "http://127.0.0.1:1/hook" })).url).toBe("http://127.0.0.1:1/hook");
});

test("others are refused, and so are operators who signed in more than a day ago", async () => {
  const { id } = await made({});
  for (const [method, below] of [
    ["GET", ""],
    ["POST", ""],
    ["GET", `/${id}`],
    ["PATCH", `/${id}`],
    ["DELETE", `/${id}`],
    ["POST", `/${id}/secret`],
    ["POST", `/${id}/test`],
    ["GET", `/${id}/deliveries`],
    ["POST", `/${id}/deliveries/${none}/retry`],
  ] as const) {
    expect((await asked(clerk, method, below)).status).toBe(403);
  }
  const late = await app.caller("chief");
  await app.db.query(
    "update service.sessions set created_at = created_at - interval '25 hours' where user_id = $1",
    [late.id],
  );
  for (const [method, below] of [
    ["POST", ""],
    ["PATCH", `/${id}`],
    ["DELETE", `/${id}`],
    ["POST", `/${id}/secret`],
    ["POST", `/${id}/test`],
    ["POST", `/${id}/deliveries/${none}/retry`],
  ] as const) {
    const reply = await asked(late, method, below);
    expect([reply.status, reply.body.code]).toEqual([403, "SESSION_NOT_FRESH"]);
  }
  expect((await late.client.get(path)).status).toBe(200);
});

test("a missing webhook or delivery is not found", async () => {
  const { id } = await made({});
  const { id: disabledId } = await made({ disabled: true });
  for (const [method, below] of [
    ["GET", `/${none}`],
    ["GET", "/x"],
    ["PATCH", `/${none}`],
    ["DELETE", `/${none}`],
    ["POST", `/${none}/secret`],
    ["POST", `/${none}/test`],
    ["GET", `/${none}/deliveries`],
    ["GET", `/${id}/deliveries/${none}`],
    ["POST", `/${id}/deliveries/${none}/retry`],
    ["POST", `/${disabledId}/deliveries/${none}/retry`],
    ["POST", `/${none}/deliveries/${none}/retry`],
  ] as const) {
    const reply = await asked(chief, method, below);
    expect([below, reply.status]).toEqual([below, 404]);
  }
  // The form of the body is judged before, its values after.
  for (const id of [none, "x"]) {
    expect((await chief.client.patch(`${path}/${id}`, { url: 1 })).status).toBe(404);
    const unread = await chief.client.send("PATCH", `${path}/${id}`, { text: "{" });
    expect(unread.status).toBe(400);
  }
});

test("there are at most a hundred", async () => {
  const by = { url: "https://receiver.example", events: ["products.*"], disabled: true };
  await app.db.query(
    `insert into service.webhooks (id, url, events, secret, position, log)
     select gen_random_uuid(), 'https://receiver.example', '{products.*}', '', 0, gen_random_uuid()
     from generate_series(1, 99)`,
  );
  const replies = await Promise.all([1, 2, 3].map(() => chief.client.post(path, by)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test("a test is sent, and its delivery shows the request", async () => {
  const one = await receiver();
  const webhook = await made({ url: one.url });
  expect((await chief.client.post(`${path}/${webhook.id}/test`, {})).status).toBe(202);
  await expect.poll(() => one.received.length).toBe(1);
  const [sent] = one.received;
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    type: "test",
    timestamp: expect.stringMatching(/Z$/),
    data: {},
  });
  const id = sent?.headers["webhook-id"];
  const key = Buffer.from(webhook.secret.slice("whsec_".length), "base64");
  const digest = createHmac("sha256", key)
    .update(`${id}.${sent?.headers["webhook-timestamp"]}.${sent?.body}`)
    .digest("base64");
  expect(sent?.headers["webhook-signature"]).toBe(`v1,${digest}`);
  await expect.poll(async () => (await deliveries(webhook)).data[0]?.state).toBe("succeeded");
  const page = await deliveries(webhook);
  const shown = {
    id,
    type: "test",
    state: "succeeded",
    attempts: 1,
    status: 204,
    at: expect.stringMatching(/Z$/),
    nextAt: null,
  };
  expect(page).toEqual({ data: [shown], meta: { perPage: 25, next: null } });
  const whole = await chief.client.get(`${path}/${webhook.id}/deliveries/${id}`);
  expect(whole.body).toEqual({ ...shown, error: null, body: sent?.body });
});

test("changes are sent in order, from any writer", async () => {
  const one = await receiver();
  await made({ url: one.url });
  // A record is sent at least as new as its change: that of a change only if the next one comes later.
  const untilSent = (count: number) => expect.poll(() => one.received.length).toBe(count);
  const id = await add("products", { name: "Lamp", price: 10 });
  await untilSent(1);
  await chief.client.patch(`/products/${id}`, { price: 12 });
  await untilSent(2);
  await app.db.query("update products set price = 13, name = 'Big lamp' where id = $1", [id]);
  // Nothing that is shown changes.
  await app.db.query("update products set updated_at = now() where id = $1", [id]);
  await chief.client.delete(`/products/${id}`);
  await untilSent(4);
  expect(received(one)).toEqual([
    ["products.created", id, ["name", "price"]],
    ["products.updated", id, ["price"]],
    ["products.updated", id, ["name", "price"]],
    ["products.deleted", id, null],
  ]);
  const [created, updated, , deleted] = bodies(one);
  expect(created).toEqual({
    type: "products.created",
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: {
      id,
      record: {
        id,
        name: "Lamp",
        price: 10,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      changed: ["name", "price"],
    },
  });
  expect(updated.data.record).toMatchObject({ name: "Lamp", price: 12 });
  expect(deleted.data).toEqual({ id, record: null, changed: null });
});

test("several changes of a record in one transaction are sent as one, with the values at its end", async () => {
  const one = await receiver();
  await made({ url: one.url, events: ["products.*", "orders.*"] });
  const untilSent = (count: number) => expect.poll(() => one.received.length).toBe(count);
  const order = await add("orders", { buyerId: chief.id, note: "one" });
  const [id, passing, kept] = [randomUUID(), randomUUID(), randomUUID()];
  await app.db.transaction(async (tx) => {
    await tx.query("insert into products (id, name, price) values ($1, 'Sum', 0)", [id]);
    await tx.query("insert into products (id, name) values ($1, 'Never there')", [passing]);
    await tx.query("update products set price = 5 where id = $1", [id]);
    await tx.query("savepoint inner_one");
    await tx.query("update products set price = 7 where id = $1", [id]);
    await tx.query("update products set price = 8 where id = $1", [passing]);
    await tx.query("delete from products where id = $1", [passing]);
    await tx.query("update orders set note = 'two' where id = $1", [order]);
    await tx.query("update orders set note = 'one' where id = $1", [order]);
  });
  // The record is read when it is sent.
  await expect.poll(() => bodies(one).map(({ data }) => data.id)).toContain(id);
  const operations = [
    { update: "products", id, values: { price: 9 } },
    { create: "products", values: { name: "Other" } },
    { update: "products", id, values: { name: "Sum total" } },
  ];
  const batch = await chief.client.post<{ data: { id: string }[] }>("/_service/batch", {
    operations,
  });
  expect(batch.status, batch.text).toBe(200);
  await app.db.query("insert into products (id, name) values ($1, 'Gone')", [kept]);
  await untilSent(5);
  await app.db.transaction(async (tx) => {
    await tx.query("update products set price = 1 where id = $1", [kept]);
    await tx.query("delete from products where id = $1", [kept]);
  });
  await app.db.transaction(async (tx) => {
    await tx.query("delete from products where id = $1", [id]);
    await tx.query("insert into products (id, name, price) values ($1, 'Again', 9)", [id]);
  });
  await untilSent(7);
  // The order is that of each record.
  const sent = bodies(one);
  const of = (record: string | undefined) =>
    sent
      .filter(({ data }) => data.id === record)
      .map(({ type, data }) => [type, data.changed, data.record?.price]);
  expect(of(id)).toEqual([
    ["products.created", ["name", "price"], 7],
    ["products.updated", ["name", "price"], 9],
    ["products.updated", ["name"], 9],
  ]);
  expect(of(batch.body.data[1]?.id)).toEqual([["products.created", ["name"], null]]);
  expect(of(kept)).toEqual([
    ["products.created", ["name"], null],
    ["products.deleted", null, undefined],
  ]);
  expect(of(order)).toEqual([["orders.created", ["buyerId", "note"], undefined]]);
  // A history keeps each.
  const history = await chief.client.get<{ data: unknown[] }>(`/orders/${order}/_history`);
  expect(history.body.data).toHaveLength(3);
  await chief.client.delete(`/products/${id}`);
});

test("a webhook gets only the events that it names", async () => {
  const one = await receiver();
  await made({ url: one.url, events: ["products.deleted", "ledgers.*"] });
  const id = await add("products", { name: "Chair" });
  await chief.client.delete(`/products/${id}`);
  await expect.poll(() => one.received.length).toBe(1);
  expect(received(one)).toEqual([["products.deleted", id, null]]);
});

test("a webhook sees records that its creator may list, before and after each change", async () => {
  const one = await receiver();
  const all = await receiver();
  await made({ url: one.url, events: ["orders.*", "ledgers.*"] });
  // A clerk who is made an operator has the role of both.
  await app.db.query("update service.users set role = 'chief' where id = $1", [clerk.id]);
  const webhook = await made({ url: all.url, events: ["orders.*", "ledgers.*"] }, clerk.client);
  await app.db.query("update service.users set role = 'clerk' where id = $1", [clerk.id]);
  await app.db.query(`insert into ledgers (id, name) values (gen_random_uuid(), 'Secret')`);
  const orders = async (buyer: string) => {
    const [row] = await app.db.query<{ id: string }>(
      "insert into orders (id, buyer_id, note, margin) values (gen_random_uuid(), $1, 'x', 7) returning id",
      [buyer],
    );
    return row?.id ?? "";
  };
  const mine = await orders(chief.id);
  const theirs = await orders(clerk.id);
  // Records are sent, and rights judged, at least as new as the change.
  await expect.poll(() => all.received.length).toBe(3);
  await expect.poll(() => one.received.length).toBe(1);
  // It leaves the creator's records, the other comes to them.
  await app.db.query("update orders set buyer_id = $2 where id = $1", [mine, clerk.id]);
  await app.db.query("update orders set buyer_id = $2 where id = $1", [theirs, chief.id]);
  await app.db.query("update orders set margin = 8 where id = any($1)", [[mine, theirs]]);
  await expect.poll(() => [one.received.length, all.received.length]).toEqual([3, 7]);
  const of = (record: string) => received(one).filter(([, id]) => id === record);
  expect(of(mine)).toEqual([
    ["orders.created", mine, ["buyerId", "note"]],
    ["orders.deleted", mine, null],
  ]);
  expect(of(theirs)).toEqual([["orders.created", theirs, ["buyerId", "note"]]]);
  expect(bodies(one)[0].data.record).not.toHaveProperty("margin");
  const created = bodies(all).find(({ data }) => data.id === mine);
  expect(created.data.record).toMatchObject({ margin: 7 });
  expect(
    received(all)
      .map(([type]) => type)
      .toSorted(),
  ).toEqual([
    "ledgers.created",
    "orders.created",
    "orders.created",
    "orders.updated",
    "orders.updated",
    "orders.updated",
    "orders.updated",
  ]);
  // It is disabled with its creator.
  await app.db.query("update service.users set disabled_at = now() where id = $1", [clerk.id]);
  const shown = await chief.client.get(`${path}/${webhook.id}`);
  expect(shown.body).toMatchObject({ disabled: true });
  await app.db.query("update service.users set disabled_at = null where id = $1", [clerk.id]);
});

test("a webhook that is enabled again gets the changes from then on", async () => {
  const one = await receiver();
  const webhook = await made({ url: one.url, disabled: true });
  await add("products", { name: "Unheard" });
  expect((await chief.client.post(`${path}/${webhook.id}/test`, {})).status).toBe(409);
  await chief.client.patch(`${path}/${webhook.id}`, { disabled: false });
  const id = await add("products", { name: "Heard" });
  await expect.poll(() => one.received.length).toBe(1);
  expect(received(one)).toEqual([["products.created", id, ["name"]]]);
});

test("a change with a record that is too long is sent without it", async () => {
  const one = await receiver();
  await made({ url: one.url, events: ["orders.*"] });
  const note = "\u{1f4a1}".repeat(70_000);
  const id = await add("orders", { buyerId: chief.id, note });
  await expect.poll(() => one.received.length).toBe(1);
  expect(bodies(one)[0].data).toEqual({ id, record: null, changed: ["buyerId", "note"] });
});

/** Takes a lock, as another process does, until the answered function is called. */
async function hold(lock: number): Promise<() => Promise<void>> {
  let release = () => {};
  let held: Promise<void> = Promise.resolve();
  await new Promise<void>((taken) => {
    held = app.db.transaction(async ({ query }) => {
      await query("select pg_advisory_xact_lock($1)", [lock]);
      taken();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
  });
  return () => {
    release();
    return held;
  };
}

test("a record that is deleted while another process numbers changes is sent with its last values", async () => {
  const one = await receiver();
  await made({ url: one.url });
  const storeDeliveries = await hold(lockNumbers.webhooks);
  const id = await add("products", { name: "Tea" });
  await expect.poll(() => app.db.query("select from service.changes_new")).toEqual([]);
  const numberChanges = await hold(lockNumbers.changes);
  expect((await chief.client.delete(`/products/${id}`)).status).toBe(204);
  await storeDeliveries();
  // The server is storing them now, and waits for the numbers.
  const locked = `select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and objid = ${lockNumbers.webhooks}`;
  const options = { interval: 5 };
  await expect.poll(() => app.db.query(locked), options).toHaveLength(1);
  await numberChanges();
  await expect.poll(() => one.received.length).toBe(2);
  const [created, deleted] = bodies(one).map(({ type, data }) => [type, data.record?.name]);
  expect(created).toEqual(["products.created", "Tea"]);
  expect(deleted).toEqual(["products.deleted", undefined]);
});

test("each of many changes in one transaction is sent once", async () => {
  const one = await receiver();
  await made({ url: one.url });
  await app.db.query(
    `insert into products (id, name) select gen_random_uuid(), 'Many ' || n from generate_series(1, 450) n`,
  );
  await expect.poll(() => one.received.length).toBe(450);
  const names = bodies(one).map(({ data }) => data.record.name);
  expect(new Set(names).size).toBe(450);
});

test("a failed delivery is redelivered on demand; deliveries are listed by page and state", async () => {
  let status = 410;
  const one = await receiver((_, response) => void response.writeHead(status).end());
  const webhook = await made({ url: one.url });
  const id = await add("products", { name: "Late" });
  await expect.poll(async () => (await deliveries(webhook)).data[0]?.state).toBe("failed");
  expect((await chief.client.get(`${path}/${webhook.id}`)).body).toMatchObject({ disabled: true });
  const [failed] = (await deliveries(webhook, "?filter[state]=failed")).data;
  const retry = () => chief.client.post(`${path}/${webhook.id}/deliveries/${failed?.id}/retry`, {});
  expect((await retry()).status).toBe(409);
  status = 204;
  await chief.client.patch(`${path}/${webhook.id}`, { disabled: false });
  expect((await retry()).status).toBe(202);
  await expect.poll(async () => (await deliveries(webhook)).data[0]?.state).toBe("succeeded");
  expect(one.received.map(({ headers }) => headers["webhook-id"])).toEqual([
    failed?.id,
    failed?.id,
  ]);
  await chief.client.post(`${path}/${webhook.id}/test`, {});
  const first = await deliveries(webhook, "?perPage=1");
  expect(first.data.map(({ type }) => type)).toEqual(["test"]);
  const second = await deliveries(webhook, `?perPage=1&cursor=${first.meta.next}`);
  expect(second).toMatchObject({ data: [{ type: "products.created" }], meta: { next: null } });
  expect(received(one)[0]).toEqual(["products.created", id, ["name"]]);
});

test.each(["perPage=0", "cursor=x", "filter[state]=done", "filter[type]=test", "page=2"])(
  "refuses deliveries?%s",
  async (query) => {
    const { id } = await made({});
    expect((await chief.client.get(`${path}/${id}/deliveries?${query}`)).status).toBe(400);
  },
);
