import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type {
  Product,
  ProductValues,
} from "../../../fixtures/apps/shop/generated/products/types.js";
import type { Caller, ResourcePolicies } from "../../../runtime/own-code/index.js";
import { type RunningApp, startApp } from "../../support/apps/app.js";
import { created, expectRefusal, newName, paths } from "../../support/apps/shop.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import { type Client, client, type Reply, type Row } from "../../support/http/client.js";

type Action = keyof ResourcePolicies<Product, ProductValues>;

/** What the policies were asked, and what they say: a test sets `verdict`. */
const asked: { action: Action; caller: Caller; about: unknown[] }[] = [];
let verdict: (action: Action, about: readonly Partial<Product>[]) => unknown;

/** A policy for each action; those of an app in plain JavaScript may answer anything. */
function policy(action: Action) {
  return (caller: Caller, ...given: Partial<Product>[]): boolean => {
    const isWrite = ["create", "update", "delete"].includes(action);
    // Their last argument is the context.
    const about = isWrite ? given.slice(0, -1) : given;
    asked.push({ action, caller, about });
    return verdict(action, about) as boolean;
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

/** What each of them gets beside the caller. */
function toldOf(what: string): unknown[] {
  const empty = {
    description: null,
    releasedOn: null,
    soldOutAt: null,
    image: null,
    manual: null,
  };
  switch (what) {
    case "a list":
    case "the stats":
      return [];
    case "a create":
      return [{ ...body(`New ${products}`), ...empty, stock: 0 }];
    case "a PATCH":
      return [product, { price: 7 }];
    case "a PUT":
      return [product, { ...body(`Other ${products}`), ...empty, stock: null }];
    default:
      return [product];
  }
}

async function stored(): Promise<readonly unknown[]> {
  return app.db.query("select id, name, price, updated_at from products order by id");
}

test.each(requests)(
  "the policy of %s is called once for %s, and true lets it pass",
  async (...row) => {
    const [action, what, send] = row;
    const about = toldOf(what);
    const reply = await send(admin);
    expect(reply.status, reply.text).toBeLessThan(300);
    const caller = { accountId: expect.any(String), role: "admin", sessionId: expect.any(String) };
    expect(asked).toEqual([{ action, caller, about }]);
  },
);

test.each(requests)(
  "a policy of %s that returns false makes %s 403, and nothing happens",
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

test.each(requests)("a policy of %s may be asynchronous for %s", async (...row) => {
  const [action, , send] = row;
  verdict = async (of) => of !== action;
  expect((await send(admin)).status).toBe(403);
  verdict = async () => true;
  expect((await send(admin)).status).toBeLessThan(300);
});

test.each(requests)("a policy of %s may return any thenable for %s", async (...row) => {
  const [action, , send] = row;
  const thenable = (value: boolean) => ({
    // biome-ignore lint/suspicious/noThenProperty: promises of other libraries have one.
    then: (resolve: (value: boolean) => void) => void setTimeout(resolve, 1, value),
  });
  verdict = (of) => thenable(of !== action);
  expect((await send(admin)).status).toBe(403);
  verdict = () => thenable(true);
  expect((await send(admin)).status).toBeLessThan(300);
});

test.each(requests)(
  "a policy of %s that returns anything but true makes %s 403",
  async (...row) => {
    const [, , send] = row;
    for (const other of [undefined, null, 0, "", Promise.resolve(undefined)]) {
      verdict = () => other;
      expect((await send(admin)).status).toBe(403);
    }
  },
);

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

test("a policy never runs for a caller whom the rule refused", async () => {
  for (const [action, , send] of requests) {
    expect((await send(anonymous)).status).toBe(401);
    const isWrite = ["create", "update", "delete"].includes(action);
    if (isWrite) expect((await send(member)).status).toBe(403);
  }
  expect(asked).toEqual([]);
});

test("a policy never runs for a body that is not JSON, or a missing record", async () => {
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

test("a policy of an update gets the stored record and the changes separately", async () => {
  verdict = (action, [record]) => action !== "update" || record?.status !== "gone";
  const path = `/products/${product.id}`;
  expect((await admin.patch(path, { status: "gone" })).status).toBe(200);
  expectRefusal(await admin.patch(path, { status: "live" }), 403);
  expectRefusal(await admin.put(path, { ...body("Again"), status: "live" }), 403);
  expect((await admin.delete(path)).status).toBe(204);
});

test("a policy decides about the values of a create and the changes of an update", async () => {
  verdict = (_action, about) => (about.at(-1)?.price ?? 0) <= 100;
  const path = `/products/${product.id}`;
  expectRefusal(await admin.post("/products", { ...body("Dear"), price: 101 }), 403);
  expectRefusal(await admin.patch(path, { price: 101 }), 403);
  expectRefusal(await admin.put(path, { ...body("Dear"), price: 101 }), 403);
  expect((await admin.post("/products", { ...body(newName("Fair")), price: 100 })).status).toBe(
    201,
  );
  expect((await admin.patch(path, { stock: 1 })).status).toBe(200);
});

test("changes that a policy makes to its copy of the record are not stored", async () => {
  verdict = (action, [record]) => {
    if (action !== "create") Object.assign(record ?? {}, { price: 999, colour: "red" });
    return true;
  };
  const path = `/products/${product.id}`;
  expect((await admin.patch(path, { stock: 3 })).body).toMatchObject({ price: 1, stock: 3 });
  const name = newName("Kept");
  expect((await admin.put(path, body(name))).body).toMatchObject({ price: 1 });
  const { body: read } = await admin.get(path);
  expect(read).toMatchObject({ name, price: 1 });
  expect(read).not.toHaveProperty("colour");
});

test("no write changes a record that a policy has meanwhile begun to protect", async () => {
  verdict = async (action, [record]) => {
    await sleep(1);
    return action !== "update" || record?.status !== "gone";
  };
  for (let round = 0; round < 100; round += 1) {
    const { body: target } = await admin.post("/products", body(newName("Race")));
    const path = `/products/${target.id}`;
    const late =
      round % 2 === 0
        ? admin.patch(path, { description: "late" })
        : admin.put(path, { ...body(newName("Raced")), description: "late" });
    const [closed, noted] = await Promise.all([admin.patch(path, { status: "gone" }), late]);
    const { body: last } = await admin.get(path);
    if (noted.status === 403) {
      expect(last).toMatchObject({ status: "gone", description: null });
    } else {
      // It was first: the close came after it, and judged what it had left.
      expect([closed.status, noted.status]).toEqual([200, 200]);
      expect(closed.body).toMatchObject({ status: "gone", description: "late" });
      expect(last).toEqual(closed.body);
    }
  }
});

test("no delete removes a record that a policy has meanwhile begun to protect", async () => {
  verdict = async (action, [record]) => {
    await sleep(1);
    return action !== "delete" || record?.status !== "gone";
  };
  for (let round = 0; round < 20; round += 1) {
    const { body: target } = await admin.post("/products", body(newName("Doomed")));
    const path = `/products/${target.id}`;
    const [closed, deleted] = await Promise.all([
      admin.patch(path, { status: "gone" }),
      admin.delete(path),
    ]);
    expect([
      [200, 403],
      [404, 204],
    ]).toContainEqual([closed.status, deleted.status]);
  }
});

test("a write that waits for a policy's lock is decided by the values written meanwhile", async () => {
  const path = `/products/${product.id}`;
  let refused: Promise<Reply> | null = null;
  verdict = (action, [record]) => action !== "update" || record?.status !== "gone";
  await app.db.transaction(async (held) => {
    await held.query("update products set status = 'gone' where id = $1", [product.id]);
    refused = admin.patch(path, { price: 3 });
    await untilWaiting();
  });
  if (refused === null) throw new Error("The request was not made");
  expectRefusal(await refused, 403);
  expect(asked.at(-1)?.about[0]).toMatchObject({ status: "gone" });
});

test("conflicts and broken links under a policy get the same response as without one", async () => {
  const other = await created(admin, "products", body(`Other than ${products}`));
  const path = `/products/${product.id}`;
  const nowhere = "01890000-0000-7000-8000-000000000000";
  expect(paths(await admin.patch(path, { name: other.name }))).toEqual(["name"]);
  expect(paths(await admin.patch(path, { categoryId: nowhere }))).toEqual(["categoryId"]);
  expect(paths(await admin.put(path, body(String(other.name))))).toEqual(["name"]);
  await created(admin, "reviews", {
    productId: product.id,
    rating: 5,
    body: "A very good one.",
  });
  const reply = await admin.delete(path);
  expectRefusal(reply, 409);
  expect(reply.text).toContain("1 review still belongs to this product");
});

test("records that clear or need each other can be written concurrently under policies", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { body: one } = await admin.post("/products", body(newName("Left")));
    const { body: two } = await admin.post("/products", body(newName("Right")));
    const replies = await Promise.all(
      [one, two, one, two].map(({ id }, at) => admin.patch(`/products/${id}`, { stock: at })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
});

test("a policy that never ends makes its request 503, and others are answered meanwhile", async () => {
  verdict = () => new Promise(() => {});
  const hanging = requests.flatMap(([, , send]) => [send(admin), send(admin)]);
  await expect.poll(() => asked.length).toBeGreaterThan(10);
  let ended = 0;
  for (const one of hanging) void one.then(() => (ended += 1));
  const name = "Everything";
  expect((await admin.patch(`/categories/${category.id}`, { name })).status).toBe(200);
  expect((await admin.list("/categories?sort=name")).status).toBe(200);
  expect((await admin.get("/auth/me")).status).toBe(200);
  expect(ended).toBeLessThan(hanging.length);
  for (const { status, headers } of await Promise.all(hanging)) {
    expect(status).toBe(503);
    expect(headers["retry-after"]).toMatch(/^[1-9]/);
  }
  verdict = () => true;
  expect((await admin.patch(`/products/${product.id}`, { price: 8 })).status).toBe(200);
});

test("actions and resources without a policy are open to all callers that the rule admits", async () => {
  verdict = () => false;
  const visit = await created(member, "visits", {});
  expect((await member.get(`/visits/${visit.id}`)).status).toBe(200);
  expect((await member.list("/categories")).status).toBe(200);
  expect(asked).toEqual([]);
});

/** Resolves when a statement waits for another one's row. */
async function untilWaiting(): Promise<void> {
  await expect.poll(() => app.db.query(lockWaiters)).not.toEqual([]);
}
