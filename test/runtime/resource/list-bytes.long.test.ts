import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningApp, startApp } from "../../support/apps/app.js";
import { created, parameters } from "../../support/apps/shop.js";
import { type Client, client } from "../../support/http/client.js";
import { openWire } from "../../support/http/wire.js";

let app: RunningApp;
let admin: Client;
beforeAll(async () => {
  app = await startApp("apps/shop", { policies: { products: { list: () => !isForbidden } } });
  admin = client(app.url, app.token);
  await addProducts("Long", "repeat('€', 60000)", 100);
  await addProducts("Mixed", "repeat('a', 99999) || '😀'", 25);
});
afterAll(() => app.close());

let isForbidden = false;

/** Their descriptions of 180 kB and 100 kB are read through `filter[name]` and `q`. */
async function addProducts(name: string, description: string, count: number): Promise<void> {
  const category = await created(admin, "categories", { name: `Of ${name}` });
  await app.db.query(
    `insert into products (id, name, description, price, active, status, category_id, created_at, updated_at)
     select
       gen_random_uuid(), $2 || ' ' || n, ${description}, 1, true, 'draft', $1, now(), now()
     from generate_series(1, ${count}) as n`,
    [category.id, name],
  );
}

test.each(["", "&sort=name", "&filter[status]=draft", "&filter[price]=1"])(
  "a page of more than 16 MB is 400 with an issue at perPage: q=long&perPage=100%s",
  async (query) => {
    const reply = await admin.get(`/products?q=long&perPage=100${query}`);
    expect(parameters(reply)).toEqual(["perPage"]);
    expect(reply.text).toContain("more than 16 MB");
  },
);

// Short ones, those of more than 1 MB, and nearly 16 MB; from the tally, by an index and by a search.
test.each([
  ["q=long&perPage=5", 5],
  ["q=long&perPage=6", 6],
  ["q=long&perPage=7&page=15", 2],
  ["q=long&perPage=90", 90],
  ["q=long&perPage=10&page=11", 0],
  ["filter[status]=draft&perPage=90", 90],
  ["q=long&perPage=30&page=3&sort=-name", 30],
  ["q=mixed&sort=name", 25],
  ["", 25],
  ["perPage=50&page=3", 25],
  ["perPage=1", 1],
])("the page %s has its %d records and totals", async (query, count) => {
  const { status, headers, text, body } = await admin.list(`/products?${query}`);
  expect(status).toBe(200);
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(text));
  expect(body.data).toHaveLength(count);
  const kinds = new Set(body.data.map(({ name, description }) => `${name} ${description}`.length));
  expect(kinds.size).toBeLessThan(8);
  const total = query.includes("long") ? 100 : query.includes("mixed") ? 25 : 125;
  const asked = new URLSearchParams(query);
  const perPage = Number(asked.get("perPage") ?? 25);
  const page = Number(asked.get("page") ?? 1);
  expect(body.meta).toEqual({ page, perPage, total, totalPages: Math.ceil(total / perPage) });
  const head = await admin.send("HEAD", `/products?${query}`);
  expect([head.status, head.headers["content-length"]]).toEqual([200, headers["content-length"]]);
});

test("a long page has all its records in order", async () => {
  const { body } = await admin.list("/products?q=mixed&sort=name");
  const names = Array.from({ length: 25 }, (_, at) => `Mixed ${at + 1}`).sort();
  expect(body.data.map(({ name }) => name)).toEqual(names);
  const texts = new Set(body.data.map(({ description }) => description));
  expect([...texts]).toEqual([`${"a".repeat(99_999)}😀`]);
});

test("eight pipelined requests for long pages are answered in order", async () => {
  const wire = await openWire(app.url);
  const asked = Array.from({ length: 8 }, (_, at) => 6 + (at % 3));
  for (const perPage of asked) {
    const token = `Authorization: Bearer ${app.token}`;
    await wire.send(
      `GET /api/products?q=long&perPage=${perPage} HTTP/1.1\r\nHost: x\r\n${token}\r\n\r\n`,
    );
  }
  await expect
    // Each look reads 10 MB.
    .poll(() => wire.rest().match(/"perPage":\d+/g), { timeout: 150_000, interval: 1_000 })
    .toEqual(asked.map((perPage) => `"perPage":${perPage}`));
  wire.destroy();
});

test.each(["GET", "HEAD"])("%s of a long page is 403 if the policy refuses", async (method) => {
  isForbidden = true;
  const replies = [
    await admin.send(method, "/products?q=long&perPage=100"),
    await admin.send(method, "/products?q=long&perPage=50"),
  ];
  isForbidden = false;
  expect(replies.map(({ status }) => status)).toEqual([403, 403]);
});
