import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Product } from "../../../fixtures/apps/shop/generated/products/types.js";
import type { Caller, ResourcePolicies } from "../../../runtime/http/index.js";
import { type RunningApp, startApp } from "../../support/app.js";
import { type Client, client, type Reply, type Row } from "../../support/client.js";
import { created, expectRefusal } from "../../support/shop.js";

type Action = keyof ResourcePolicies<Product>;

/** What the policies were asked, and what they say: a test sets `verdict`. */
const asked: { action: Action; caller: Caller; record: unknown }[] = [];
let verdict: (action: Action, record: Product | null) => unknown;

/** A policy for each action; those of an app in plain JavaScript may answer anything. */
function policy(action: Action) {
  return (caller: Caller, record?: Product): boolean => {
    asked.push({ action, caller, record: record ?? null });
    return verdict(action, record ?? null) as boolean;
  };
}

let app: RunningApp;
let admin: Client;
let member: Client;
let anonymous: Client;
let category: Row;
let product: Row;
let products = 0;
beforeAll(async () => {
  const actions: readonly Action[] = ["list", "get", "stats", "create", "update", "delete"];
  const policies = Object.fromEntries(actions.map((action) => [action, policy(action)]));
  app = await startApp("apps/shop", { policies: { products: policies, visits: {} } });
  admin = client(app.url, app.token);
  member = client(app.url, await app.signIn(null));
  anonymous = client(app.url, null);
  category = await created(admin, "categories", { name: "Everything" });
});
afterAll(() => app.close());

beforeEach(async () => {
  verdict = () => true;
  products += 1;
  product = await created(admin, "products", body(`Product ${products}`));
  asked.length = 0;
});

function body(name: string) {
  return { name, price: 1, active: true, status: "draft", categoryId: category.id };
}

/** One request for each action of that caller. */
const requests: readonly [Action, string, (caller: Client) => Promise<Reply>][] = [
  ["list", "a list", (caller) => caller.list("/products")],
  ["get", "a read", (caller) => caller.get(`/products/${product.id}`)],
  ["get", "a HEAD", (caller) => caller.send("HEAD", `/products/${product.id}`)],
  ["stats", "the stats", (caller) => caller.get("/products/_stats")],
  ["create", "a create", (caller) => caller.post("/products", body(`New ${products}`))],
  ["update", "a PATCH", (caller) => caller.patch(`/products/${product.id}`, { price: 7 })],
  ["update", "a PUT", (caller) => caller.put(`/products/${product.id}`, body(`Other ${products}`))],
  ["delete", "a delete", (caller) => caller.delete(`/products/${product.id}`)],
];
const ofRecord: readonly Action[] = ["get", "update", "delete"];

async function stored(): Promise<readonly unknown[]> {
  return app.db.query("select id, name, price, updated_at from products order by id");
}

test.each(requests)(
  "the policy of %s is asked once for %s, and true lets it pass",
  async (...row) => {
    const [action, , send] = row;
    const reply = await send(admin);
    expect(reply.status, reply.text).toBeLessThan(300);
    const record = ofRecord.includes(action) ? product : null;
    const caller = { accountId: expect.any(String), role: "admin", sessionId: expect.any(String) };
    expect(asked).toEqual([{ action, caller, record }]);
  },
);

test.each(requests)(
  "a policy of %s that says no makes %s 403, and nothing happens",
  async (...row) => {
    const [action, , send] = row;
    const before = await stored();
    verdict = (of) => of !== action;
    const reply = await send(admin);
    expect(reply.status).toBe(403);
    if (reply.text !== "") expectRefusal(reply, 403);
    expect(await stored()).toEqual(before);
  },
);

test.each(requests)("a policy of %s may take its time over %s", async (...row) => {
  const [action, , send] = row;
  verdict = async (of) => of !== action;
  expect((await send(admin)).status).toBe(403);
  verdict = async () => true;
  expect((await send(admin)).status).toBeLessThan(300);
});

test.each(requests)("a policy of %s that says anything but true makes %s 403", async (...row) => {
  const [, , send] = row;
  for (const other of [undefined, null, 0, "", Promise.resolve(undefined)]) {
    verdict = () => other;
    expect((await send(admin)).status).toBe(403);
  }
});

test.each(requests)("a policy of %s that throws makes %s a bare 500", async (...row) => {
  const [, , send] = row;
  const before = await stored();
  verdict = () => {
    throw new Error("a bug of the policy");
  };
  const reply = await send(admin);
  expect(reply.status).toBe(500);
  expect(reply.text).not.toContain("policy");
  expect(await stored()).toEqual(before);
});

test("a policy is never asked about a caller whom the rule refused", async () => {
  for (const [action, , send] of requests) {
    expect((await send(anonymous)).status).toBe(401);
    const isWrite = ["create", "update", "delete"].includes(action);
    if (isWrite) expect((await send(member)).status).toBe(403);
  }
  expect(asked).toEqual([]);
});

test("a policy is never asked about a body that is no JSON, or a record that is not there", async () => {
  const unknown = "/products/01890000-0000-7000-8000-000000000000";
  for (const path of ["/products/no-id", unknown]) {
    expectRefusal(await admin.get(path), 404);
    expectRefusal(await admin.patch(path, { price: 2 }), 404);
    expectRefusal(await admin.put(path, body("x")), 404);
    expectRefusal(await admin.delete(path), 404);
  }
  expectRefusal(await admin.send("PATCH", `/products/${product.id}`, { text: "{" }), 400);
  expectRefusal(await admin.send("POST", "/products", { text: "[]" }), 400);
  expect(asked).toEqual([]);
});

test("a policy's 403 comes before the values' 422", async () => {
  verdict = () => false;
  expectRefusal(await admin.post("/products", { colour: 1 }), 403);
  expectRefusal(await admin.patch(`/products/${product.id}`, { price: "x" }), 403);
  expectRefusal(await admin.put(`/products/${product.id}`, {}), 403);
});

test("a policy may look at the stored record, not at what is sent", async () => {
  verdict = (action, record) => action !== "update" || record?.status !== "gone";
  const path = `/products/${product.id}`;
  expect((await admin.patch(path, { status: "gone" })).status).toBe(200);
  expectRefusal(await admin.patch(path, { status: "live" }), 403);
  expectRefusal(await admin.put(path, { ...body("Again"), status: "live" }), 403);
  expect((await admin.delete(path)).status).toBe(204);
});

test("actions and resources without a policy are open to whom the rule lets in", async () => {
  verdict = () => false;
  const visit = await created(member, "visits", {});
  expect((await member.get(`/visits/${visit.id}`)).status).toBe(200);
  expect((await member.list("/categories")).status).toBe(200);
  expect(asked).toEqual([]);
});
