import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Json } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `search: { language: english, fields: { name: A, description: B, kind: C, category.name: D } }
changes: { history: 30 }
fields:
  name: { type: string, required: true }
  description: { type: text }
  kind: { type: enum, values: [drink, food] }
  categoryId: { type: belongsTo, resource: categories }
`,
      ],
      ["categories.yaml", "fields: { name: { type: string, required: true } }\n"],
    ]),
    settings: "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, mcp: true }\n",
  });
  const caller = await app.caller(null);
  ada = caller;
});
afterAll(() => app.close());

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly meta: Readonly<Record<string, Json>>;
}

async function made(resource: string, values: object): Promise<string> {
  const reply = await ada.client.post<{ id: string }>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

async function found(query: string): Promise<Page> {
  const reply = await ada.client.get<Page>(`/products?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

test("highlights mark each matching word, and escape everything else", async () => {
  const tea = await made("products", {
    name: 'Green teas <b>& "more"</b>',
    description: `${"word ".repeat(60)}tea, ${"other ".repeat(60)}TEAS!`,
  });
  const { meta } = await found("search=tea&highlight=name,description");
  expect(meta.highlights).toEqual({
    [tea]: {
      name: "Green <mark>teas</mark> &lt;b&gt;&amp; &quot;more&quot;&lt;/b&gt;",
      description: `${"word ".repeat(5)}<mark>tea</mark>, ${"other ".repeat(24).trim()} … ${"other ".repeat(5)}<mark>TEAS</mark>!`,
    },
  });
  const sorted = await found("search=tea&highlight=name&sort=name&fields=kind&etags=true");
  expect(Object.keys(sorted.meta.highlights ?? {})).toEqual([tea]);
  await ada.client.delete(`/products/${tea}`);
});

test("phrases are marked where they occur, and a record that matches elsewhere has no highlights", async () => {
  const one = await made("products", { name: "AB-123, 123 and AB; AB123" });
  const { meta } = await found("search=ab123&highlight=name");
  expect(meta.highlights).toEqual({
    [one]: {
      name: "<mark>AB</mark>-<mark>123</mark>, 123 and AB; <mark>AB</mark><mark>123</mark>",
    },
  });
  const two = await made("products", { name: "plain", kind: "drink" });
  expect((await found("search=drinks&highlight=name,description")).meta.highlights).toEqual({
    [two]: {},
  });
  const excluded = await found(`search=${encodeURIComponent("plain -food")}&highlight=name`);
  expect(excluded.meta.highlights).toEqual({ [two]: { name: "<mark>plain</mark>" } });
});

test.each([
  ["m2", "9 m² or m2", "9 <mark>m</mark><mark>²</mark> or <mark>m</mark><mark>2</mark>"],
  ["m²", "9 m² or m2", "9 <mark>m</mark><mark>²</mark> or <mark>m</mark><mark>2</mark>"],
  ["1", "①, ⑴ & 1", "<mark>①</mark>, <mark>⑴</mark> &amp; <mark>1</mark>"],
  ['"viii"', "Henry Ⅷ", "Henry <mark>Ⅷ</mark>"],
  ['"kgs"', "3 ㎏s of ㎏", "3 <mark>㎏s</mark> of ㎏"],
  ["1", "½ l", "<mark>½</mark> l"],
  ["2", "1½ l", "1<mark>½</mark> l"],
  ['"11 2"', "1½ l", "<mark>1½</mark> l"],
  ['"x\u0302"', "X\u0302² b", "<mark>X\u0302</mark>² b"],
])("%s marks what it finds in %j", async (search, name, expected) => {
  const id = await made("products", { name });
  const { meta } = await found(`search=${encodeURIComponent(search)}&highlight=name`);
  expect(meta.highlights).toMatchObject({ [id]: { name: expected } });
  await ada.client.delete(`/products/${id}`);
});

test("highlight accepts the record's own searched strings and texts", async () => {
  for (const query of [
    "highlight=name",
    "search=tea&highlight=kind",
    "search=tea&highlight=category.name",
    "search=tea&highlight=nothing",
  ]) {
    const reply = await ada.client.get(`/products?${query}`);
    expect(reply.status, query).toBe(400);
    expect(reply.body).toMatchObject({ issues: [{ param: "highlight" }] });
  }
  expect((await found("search=%20&highlight=name")).meta.highlights).toBeUndefined();
  const posted = await ada.client.post<Page>("/products/_query", {
    search: "plain",
    highlight: ["name"],
  });
  expect(posted.body.meta.highlights).toMatchObject({});
});

test("app code and agents search and highlight too", async () => {
  const id = await made("products", { name: "Oolongs" });
  const query = { search: "oolong", highlight: ["name"] };
  const expected = {
    data: [{ id, name: "Oolongs" }],
    meta: { total: 1, highlights: { [id]: { name: "<mark>Oolongs</mark>" } } },
  };
  const { products } = app.app.resources as {
    products: { list(query: object): Promise<Page>; count(query: object): Promise<number> };
  };
  expect(await products.list(query)).toMatchObject(expected);
  expect(await products.count({ search: "oolong" })).toBe(1);
  const reply = await ada.client.post<{ token: string }>("/auth/service-tokens", { name: "agent" });
  const agent = await connectAgent(app.url, reply.body.token);
  const found = await agent.call("find", { resource: "products", ...query });
  expect(found).toMatchObject({ isError: false, result: expected });
  const grouped = await agent.call("aggregate", { resource: "products", search: "oolong" });
  expect(grouped.result).toMatchObject({ data: [{ count: 1 }] });
  await agent.close();
  await ada.client.delete(`/products/${id}`);
});

test("a changed linked record takes effect at its commit, and changes nothing else", async () => {
  const category = await made("categories", { name: "Fruit" });
  const id = await made("products", { name: "apple", categoryId: category });
  const before = await ada.client.get(`/products/${id}`);
  const historyOf = async () => (await ada.client.get(`/products/${id}/_history`)).body;
  const history = await historyOf();
  const watch = encodeURIComponent(JSON.stringify({ products: {} }));
  const token = await newSession(app.db, ada.id);
  const stream = await openEvents(app.url, token, `/_service/changes?watch=${watch}`);
  expect((await found("search=fruits")).data.map((one) => one.id)).toEqual([id]);
  await ada.client.patch(`/categories/${category}`, { name: "Vegetables" });
  expect((await found("search=fruit")).data).toEqual([]);
  expect((await found("search=vegetable")).data.map((one) => one.id)).toEqual([id]);
  const after = await ada.client.get(`/products/${id}`);
  expect(after.body).toEqual(before.body);
  expect(after.headers.etag).toBe(before.headers.etag);
  expect(await historyOf()).toEqual(history);
  const marker = await made("products", { name: "marker" });
  let event = await stream.next();
  while (event.event !== "change") event = await stream.next();
  expect(event.data).toMatchObject({ op: "create", id: marker });
  stream.close();
  await ada.client.delete(`/products/${marker}`);
  await ada.client.delete(`/categories/${category}`);
  expect((await found("search=vegetable")).data).toEqual([]);
});

test("more than 1,000 records of a linked one are indexed by the servers", async () => {
  const category = await made("categories", { name: "Minerals" });
  await app.db.query(
    `insert into products (id, name, category_id)
     select gen_random_uuid(), 'stone', $1 from generate_series(1, 1200)`,
    [category],
  );
  expect((await found("search=mineral")).meta.total).toBe(1200);
  await ada.client.patch(`/categories/${category}`, { name: "Rocks" });
  expect((await found("search=rock")).meta.total).toBe(0);
  for (let more = true; more; ) {
    const [row] = await app.db.query<{ more: boolean }>(
      "select service.index_changed(500) as more",
    );
    more = row?.more === true;
  }
  expect((await found("search=rock")).meta.total).toBe(1200);
  expect((await found("search=mineral")).meta.total).toBe(0);
});
