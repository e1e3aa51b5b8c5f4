import { refusal } from "service-runtime/errors";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { created, expectRefusal, newName } from "../../support/apps/shop.js";
import { startTwoServers, type TwoServers } from "../../support/apps/two-servers.js";
import { type Client, client, type Reply, type Row } from "../../support/http/client.js";

const unknownId = "01890000-0000-7000-8000-000000000000";

/** What policies and hooks of coupons have got. */
let calls: unknown[] = [];
let both: TwoServers;
let admin: Client;
let other: Client;
let category: Row;

beforeAll(async () => {
  const own = {
    policies: {
      coupons: {
        update: (_caller: unknown, record: Row, changes: object) => {
          calls.push({ policy: changes, weight: record.weight });
          return !("terms" in changes);
        },
      },
    },
    hooks: {
      coupons: {
        beforeUpdate(changes: { weight?: number }, record: Row) {
          calls.push({ before: changes, weight: record.weight });
          if (changes.weight === 50) return { ...changes, weight: 60 };
          if (changes.weight === 70) return { weight: { add: 1 } as never };
          if (changes.weight === 80) throw refusal(409, "Not 80");
          return undefined;
        },
        afterUpdate(record: Row, former: Row) {
          calls.push({ after: record.weight, former: former.weight });
        },
      },
    },
  };
  both = await startTwoServers("apps/shop", own as never);
  [admin, other] = both.urls.map((url) => client(url, both.running.token)) as [Client, Client];
  category = await created(admin, "categories", { name: "Everything" });
});
afterAll(() => both.close());
beforeEach(() => {
  calls = [];
});

async function product(fields: object = {}): Promise<Row> {
  const values = { name: newName("Lamp"), price: 1, stock: 5, categoryId: category.id, ...fields };
  return created(admin, "products", values);
}

const promotions = ["home", "basket", "mail"];
/** Whole, double and decimal numbers, none of which must have a value. */
async function promotion(fields: object): Promise<Row> {
  await both.running.db.query("delete from promotions");
  const { id: productId } = await product();
  return created(admin, "promotions", { slot: promotions[0], productId, ...fields });
}

let codes = 1000;
async function coupon(weight: number): Promise<Row> {
  codes += 1;
  return created(admin, "coupons", { code: `CODE${codes}`, weight });
}

function statuses(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const issues = (reply: Reply) => {
  expect(reply.status, reply.text).toBe(422);
  return (reply.body as { readonly issues: unknown }).issues;
};

const tooLow = [{ path: "price", message: "Must be at least 0" }];

test("PATCH adds to whole numbers, decimals and doubles, beside other changes", async () => {
  const made = await promotion({ rank: 3, boost: 1.5, budget: 0.1 });
  const path = `/promotions/${made.id}`;
  const changes = { rank: { add: -5 }, boost: { add: 0.25 }, budget: { add: 0.2 }, slot: "mail" };
  const reply = await admin.patch(path, changes);
  expect(reply.status, reply.text).toBe(200);
  const { updatedAt } = reply.body;
  const stored = { rank: -2, boost: 1.75, budget: 0.3, slot: "mail" };
  expect(reply.body).toEqual({ ...made, ...stored, updatedAt });
  expect(updatedAt > made.updatedAt).toBe(true);
  const read = await admin.get(path);
  expect(read.text).toBe(reply.text);
  expect(read.headers.etag).toBe(reply.headers.etag);
  const again = await admin.patch(path, { rank: { add: 0 } });
  expect(again.body.rank).toBe(-2);
  expect(again.body.updatedAt > updatedAt).toBe(true);
});

test("exactly the stock is sold to concurrent buyers on two servers", async () => {
  const { id } = await product({ stock: 0 });
  const { urls, running } = both;
  // A client of its own for each, since one keeps to a few connections.
  const buyers = Array.from({ length: 200 }, (_, at) => client(urls[at % 2] ?? "", running.token));
  const changes = { price: { add: -0.01 }, stock: { add: 1 } };
  const replies = await Promise.all(
    buyers.map(async (buyer) => {
      for (;;) {
        const reply = await buyer.patch(`/products/${id}`, changes);
        // Whoever waits for longer than 30 s, on a very slow machine, asks again.
        if (reply.status !== 503) return reply;
      }
    }),
  );
  expect(statuses(replies)).toEqual({ 200: 100, 422: 100 });
  const sold = replies.filter(({ status }) => status === 200).map(({ body }) => body.stock);
  expect(sold.toSorted((one, next) => Number(one) - Number(next))).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  for (const reply of replies.filter(({ status }) => status === 422)) {
    expect(issues(reply)).toEqual(tooLow);
  }
  expect((await admin.get(`/products/${id}`)).body).toMatchObject({ price: 0, stock: 100 });
});

test("concurrent additions and plain changes of many records are all stored", async () => {
  const all = await Promise.all(Array.from({ length: 40 }, (_, at) => product({ stock: at })));
  const replies = await Promise.all(
    all.flatMap(({ id }, at) => [
      admin.patch(`/products/${id}`, { stock: { add: 100 } }),
      other.patch(`/products/${id}`, { price: at }),
      admin.patch(`/products/${id}`, { stock: { add: -30 } }),
    ]),
  );
  expect(statuses(replies)).toEqual({ 200: 120 });
  const stored = await Promise.all(all.map(({ id }) => admin.get(`/products/${id}`)));
  expect(stored.map(({ body }) => [body.stock, body.price])).toEqual(
    all.map((_, at) => [at + 70, at]),
  );
  expect(await both.running.db.query("select * from service.wrong_counts()")).toEqual([]);
});

test.each([
  ["stock", { add: 0.5 }, "Must be a whole number within ±(2^53−1)"],
  ["stock", { add: 2 ** 53 }, "Must be a whole number within ±(2^53−1)"],
  ["stock", { add: 1e300 }, "Must be a whole number within ±(2^53−1)"],
  ["stock", { add: 1e-200 }, "At most 15 significant digits"],
  ["price", { add: -1.01 }, "Must be at least 0"],
  ["price", { add: 0.001 }, "At most 2 decimal places"],
  ["price", { add: 1e15 }, "At most 15 significant digits"],
])("checks the sum: %s %j", async (key, value, message) => {
  const { id } = await product();
  const before = (await admin.get(`/products/${id}`)).text;
  expect(issues(await admin.patch(`/products/${id}`, { [key]: value }))).toEqual([
    { path: key, message },
  ]);
  expect((await admin.get(`/products/${id}`)).text).toBe(before);
});

test("checks each digit of a sum that JavaScript would round", async () => {
  const { id } = await promotion({ rank: 2 ** 52, boost: 1.7e308, budget: 99999999999.999 });
  const reply = await admin.patch(`/promotions/${id}`, {
    ...{ rank: { add: 0.25 }, boost: { add: 1.7e308 }, budget: { add: -0.00001 } },
  });
  expect(issues(reply)).toEqual([
    { path: "boost", message: "Must be a number" },
    { path: "rank", message: "At most 15 significant digits" },
    { path: "budget", message: "At most 15 significant digits" },
  ]);
  const largest = await admin.patch(`/promotions/${id}`, { rank: { add: 2 ** 52 - 1 } });
  expect(largest.body.rank).toBe(2 ** 53 - 1);
  expect(issues(await admin.patch(`/promotions/${id}`, { rank: { add: 2 } }))).toEqual([
    { path: "rank", message: "Must be a whole number within ±(2^53−1)" },
  ]);
});

test("refuses to add to an empty value, and lists it with the other mistakes", async () => {
  const { id } = await product({ stock: null });
  const reply = await admin.patch(`/products/${id}`, {
    ...{ stock: { add: 1 }, price: { add: -2 }, active: 1, color: "red" },
  });
  expect(new Set(issues(reply) as object[])).toEqual(
    new Set([
      { path: "color", message: "Unknown field" },
      { path: "active", message: "Must be true or false" },
      ...tooLow,
      { path: "stock", message: "Is empty" },
    ]),
  );
  expect((await admin.patch(`/products/${id}`, { stock: 0 })).status).toBe(200);
  expect((await admin.patch(`/products/${id}`, { stock: { add: 1 } })).body.stock).toBe(1);
});

test.each([
  ["no amount", "stock", "{}", "Must be a whole number"],
  ["an amount that is not a number", "stock", '{"add":"1"}', "Must be a whole number"],
  ["an empty amount", "stock", '{"add":null}', "Must be a whole number"],
  ["an amount beyond a double", "stock", '{"add":1e999}', "Must be a whole number"],
  ["another key", "stock", '{"add":1,"by":2}', "Must be a whole number"],
  ["another word", "price", '{"subtract":1}', "Must be a number"],
  ["a list", "stock", "[1]", "Must be a whole number"],
  ["a text", "name", '{"add":1}', "Must be text"],
  ["a boolean", "active", '{"add":1}', "Must be true or false"],
])("refuses %s", async (_, key, value, message) => {
  const { id } = await product();
  const reply = await admin.send("PATCH", `/products/${id}`, { text: `{"${key}":${value}}` });
  expect(issues(reply)).toEqual([{ path: key, message }]);
});

test("only updates add: POST, PUT and an upsert are refused", async () => {
  const made = await product();
  const { name, categoryId, active, status } = made;
  const values = { name, categoryId, active, status, price: 2, stock: { add: 1 } };
  const wrong = { path: "stock", message: "Must be a whole number" };
  expect(issues(await admin.post("/products", { ...values, name: newName("Lamp") }))).toEqual([
    wrong,
  ]);
  expect(issues(await admin.put(`/products/${made.id}`, values))).toEqual([wrong]);
  for (const one of [name, newName("Lamp")]) {
    const upsert = { upsert: "products", by: "name", values: { ...values, name: one } };
    const reply = await admin.post("/_service/batch", { operations: [upsert] });
    expect(issues(reply)).toEqual([{ index: 0, ...wrong }]);
  }
  const create = { create: "products", values: { ...values, name: newName("Lamp") } };
  const upsert = { upsert: "products", by: "name", values };
  const reply = await admin.post("/_service/batch", { operations: [create, upsert] });
  expect(issues(reply)).toEqual([
    { index: 0, ...wrong },
    { index: 1, ...wrong },
  ]);
});

test("a missing record is 404, and another tag 412, before the sum is checked", async () => {
  expectRefusal(await admin.patch(`/products/${unknownId}`, { stock: { add: 1 } }), 404);
  const { id } = await product();
  const path = `/products/${id}`;
  const { etag = "" } = (await admin.get(path)).headers;
  const add = (amount: number, ifMatch: string) =>
    admin.send<Row>("PATCH", path, {
      text: JSON.stringify({ price: { add: amount } }),
      headers: { "if-match": ifMatch },
    });
  expectRefusal(await add(1, '"other"'), 412);
  expectRefusal(await add(-9, '"other"'), 412);
  expect(issues(await add(-9, etag))).toEqual(tooLow);
  const replies = await Promise.all(Array.from({ length: 10 }, () => add(1, etag)));
  expect(statuses(replies)).toEqual({ 200: 1, 412: 9 });
  expect((await add(1, "*")).body.price).toBe(3);
});

test("a batch adds, also to records that it has created, and rolls back if one sum is refused", async () => {
  const { id, name } = await product({ stock: 1 });
  const update = (values: object) => ({ update: "products", id, values });
  const reply = await admin.post<{ data: readonly Row[] }>("/_service/batch", {
    operations: [
      update({ stock: { add: 2 } }),
      { upsert: "products", by: "name", values: { name, stock: 10 } },
      update({ stock: { add: -3 }, price: { add: 0.5 } }),
    ],
  });
  expect(reply.body.data.map(({ stock, price }) => [stock, price])).toEqual([
    [3, 1],
    [10, 1],
    [7, 1.5],
  ]);
  const operations = [update({ stock: { add: 1 } }), update({ price: { add: -2 } })];
  const refused = await admin.post("/_service/batch", { operations });
  expect(issues(refused)).toEqual([{ index: 1, ...tooLow[0] }]);
  expect((await admin.get(`/products/${id}`)).body).toMatchObject({ stock: 7, price: 1.5 });
  const loose = await admin.post("/_service/batch", { atomic: false, operations });
  expect(loose.body).toMatchObject({ errors: [{ index: 1, status: 422, issues: tooLow }] });
  expect((await admin.get(`/products/${id}`)).body).toMatchObject({ stock: 8, price: 1.5 });
});

test("a request repeated with its key adds once", async () => {
  const { id } = await product({ stock: 1 });
  const sent = {
    text: JSON.stringify({ stock: { add: 1 } }),
    headers: { "idempotency-key": `add-${id}` },
  };
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      (at % 2 === 0 ? admin : other).send<Row>("PATCH", `/products/${id}`, sent),
    ),
  );
  expect(replies.map(({ status, body }) => [status, body.stock])).toEqual(
    replies.map(() => [200, 2]),
  );
  expect((await admin.get(`/products/${id}`)).body.stock).toBe(2);
});

test("a sum that is unique to another record is refused at its field", async () => {
  const { id } = await promotion({ rank: 1 });
  const { id: productId } = await product();
  await created(admin, "promotions", { slot: "mail", rank: 3, productId });
  expect(issues(await admin.patch(`/promotions/${id}`, { rank: { add: 2 } }))).toEqual([
    { path: "rank", message: "Another record has this value" },
  ]);
  expect((await admin.patch(`/promotions/${id}`, { rank: { add: 1 } })).body.rank).toBe(2);
});

test("policies and hooks get the sum, and the previous record", async () => {
  const { id } = await coupon(1);
  const path = `/coupons/${id}`;
  expect((await admin.patch(path, { weight: { add: 0.5 } })).body.weight).toBe(1.5);
  await expect.poll(() => calls).toHaveLength(3);
  expect(calls).toEqual([
    { policy: { weight: 1.5 }, weight: 1 },
    { before: { weight: 1.5 }, weight: 1 },
    { after: 1.5, former: 1 },
  ]);
  expectRefusal(await admin.patch(path, { weight: { add: 1 }, terms: "None" }), 403);
  expect((await admin.patch(path, { weight: { add: 48.5 } })).body.weight).toBe(60);
  expectRefusal(await admin.patch(path, { weight: { add: 20 } }), 409);
  expectRefusal(await admin.patch(path, { weight: { add: 10 } }), 500);
  const before = calls.length;
  expect(issues(await admin.patch(path, { discount: { add: 1 } }))).toEqual([
    { path: "discount", message: "Must be at most 1" },
  ]);
  expect(calls).toHaveLength(before);
  const replies = await Promise.all(
    Array.from({ length: 9 }, (_, at) =>
      (at % 2 === 0 ? admin : other).patch(path, { weight: { add: -1 } }),
    ),
  );
  expect(statuses(replies)).toEqual({ 200: 9 });
  expect((await admin.get(path)).body.weight).toBe(51);
});

test("app code adds, and gets the refusals", async () => {
  const { id } = await product({ stock: 1 });
  const { products } = both.apps[0].resources;
  const add = (stock: unknown) => products.update(id, { stock });
  await Promise.all(Array.from({ length: 20 }, () => add({ add: 1 })));
  expect(await add({ add: -1 })).toMatchObject({ stock: 20 });
  expect(await products.update(id, ({ stock }: Row) => ({ price: stock, stock: { add: 1 } })))
    // The amount comes to the number that the function has seen.
    .toMatchObject({ price: 20, stock: 21 });
  // What 0.1 + 0.2 makes of an amount is rounded, as values are.
  expect(await products.update(id, { price: { add: 0.1 + 0.2 } })).toMatchObject({ price: 20.3 });
  await expect(add({ add: Number.NaN })).rejects.toMatchObject({ status: 422 });
  await expect(add({ add: Number.POSITIVE_INFINITY })).rejects.toMatchObject({ status: 422 });
  const below = products.update(id, { price: { add: -21 } });
  await expect(below).rejects.toMatchObject({ status: 422, issues: tooLow });
  await both.apps[0].transaction(
    async ({ resources }: { resources: (typeof both.apps)[0]["resources"] }) => {
      await resources.products.update(id, { stock: { add: 1 } });
      await expect(resources.products.update(id, { price: { add: -21 } })).rejects.toThrow();
      await resources.products.update(id, { stock: { add: 1 } });
    },
  );
  expect((await admin.get(`/products/${id}`)).body.stock).toBe(23);
});
