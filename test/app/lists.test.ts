import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `changes: { history: 30 }
trash: true
access:
  read: [{ who: clerk, where: { tags: { has: shown } } }, { who: seller, where: { sizes: { hasAny: [s, m] }, tags: { ne: null } } }, admin]
  write: [admin]
fields:
  name: { type: string }
  tags: { type: string, list: true, maxItems: 5, maxLength: 10, distinct: true, index: true, trim: true }
  codes: { type: string, list: true, pattern: "[A-Z]+" }
  sizes: { type: enum, values: [s, m, l], list: true, default: [m, s] }
  ratings: { type: number, integer: true, min: 1, max: 5, list: true }
  prices: { type: number, decimals: 2, list: true, maxItems: 200 }
  ratios: { type: number, list: true }
  days: { type: date, list: true, required: true, default: ["2026-01-31"] }
`,
      ],
      ["notes.yaml", "fields: { words: { type: string, list: true, required: true } }\n"],
    ]),
  });
  admin = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

type Values = Record<string, unknown>;

async function product(values: object): Promise<Values & { id: string }> {
  const { status, body } = await admin.post<Values & { id: string }>("/products", values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function found(query: string): Promise<unknown[]> {
  const { status, body } = await admin.get<{ data: Values[] }>(`/products?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map(({ name }) => name).sort();
}

describe("values", () => {
  test("a list is empty if it is left out, and its default if there is one", async () => {
    expect(await product({ name: "plain" })).toMatchObject({
      tags: [],
      codes: [],
      sizes: ["m", "s"],
      ratings: [],
      prices: [],
      ratios: [],
      days: ["2026-01-31"],
    });
  });

  test("elements keep their order, and are stored as values of the field", async () => {
    const made = await product({
      tags: [" b ", "a", "Cafe\u0301"],
      codes: ["B", "A", "B"],
      sizes: ["l", "l"],
      ratings: [5, 1, 5],
      prices: [12.5, 0.01],
      ratios: [0.1, 1e300, -0],
      days: ["2026-12-31", "0001-01-01"],
    });
    expect(made).toMatchObject({
      tags: ["b", "a", "Café"],
      codes: ["B", "A", "B"],
      sizes: ["l", "l"],
      ratings: [5, 1, 5],
      prices: [12.5, 0.01],
      days: ["2026-12-31", "0001-01-01"],
    });
    expect((await admin.get(`/products/${made.id}`)).body).toEqual(made);
  });

  test("mistakes are named by element, all at once", async () => {
    const { status, body } = await admin.post<{ issues: { path: string }[] }>("/products", {
      tags: ["a", "b", "a", "", "much too long", null],
      codes: "A",
      sizes: null,
      ratings: [1, 6, 1.5, "2"],
      prices: { add: [1] },
      ratios: Array.from({ length: 21 }, () => 1),
      days: [],
    });
    expect(status).toBe(422);
    expect(body.issues.map(({ path }) => path)).toEqual([
      "tags",
      "codes",
      "sizes",
      "ratings.1",
      "ratings.2",
      "ratings.3",
      "prices",
      "ratios",
      "days",
    ]);
    const fewer = await admin.post<{ issues: { path: string }[] }>("/products", {
      tags: ["a", "b", "a", "", "much too long"],
    });
    expect(fewer.body.issues.map(({ path }) => path).sort()).toEqual([
      "tags.2",
      "tags.3",
      "tags.4",
    ]);
  });

  test("PUT empties omitted lists, and needs required ones", async () => {
    const { id } = await product({ tags: ["a"], days: ["2026-02-02"] });
    expect((await admin.put(`/products/${id}`, { name: "x" })).body).toMatchObject({
      issues: [{ path: "days" }],
    });
    const put = await admin.put(`/products/${id}`, { days: ["2026-02-03"] });
    expect(put.body).toMatchObject({ name: null, tags: [], sizes: [], days: ["2026-02-03"] });
    expect((await admin.post("/notes", {})).body).toMatchObject({ issues: [{ path: "words" }] });
  });

  test("PostgreSQL keeps the rules of lists that SQL writes", async () => {
    const { id } = await product({});
    for (const set of [
      "tags = null",
      "tags = '{a,a}'",
      "tags = '{a,null}'",
      "tags = '{a,\"\"}'",
      "tags = '{{a,b},{c,d}}'",
      "sizes = '{x}'",
      "ratings = '{6}'",
      "prices = '{NaN}'",
      "days = '{}'",
      "tags = '{1,2,3,4,5,6}'",
    ]) {
      await expect(app.db.query(`update products set ${set} where id = $1`, [id])).rejects.toThrow(
        /violates/,
      );
    }
  });
});

describe("PATCH of some elements", () => {
  test("removes first, then appends missing elements", async () => {
    const { id } = await product({ tags: ["a", "b", "c"], codes: ["A", "B", "A"] });
    const { status, body } = await admin.patch(`/products/${id}`, {
      tags: { add: [" d", "b"], remove: ["a", "zzz"] },
      codes: { add: ["B"], remove: ["A"] },
      ratings: { add: [3] },
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { tags: ["b", "c", "d"], codes: ["B", "B"], ratings: [3] },
    });
  });

  test("mistakes are reported at their position", async () => {
    const { id } = await product({ tags: ["a", "b", "c", "d"] });
    const paths = async (values: object) => {
      const { status, body } = await admin.patch<{ issues: { path: string }[] }>(
        `/products/${id}`,
        values,
      );
      return { status, paths: body.issues?.map(({ path }) => path) };
    };
    expect(await paths({ tags: { add: ["x", "x"] } })).toEqual({
      status: 422,
      paths: ["tags.add.1"],
    });
    expect(await paths({ tags: { add: ["a"], remove: ["a"] } })).toEqual({
      status: 422,
      paths: ["tags.add.0"],
    });
    expect(await paths({ tags: {} })).toEqual({ status: 422, paths: ["tags"] });
    expect(await paths({ tags: { add: "x" } })).toEqual({ status: 422, paths: ["tags.add"] });
    expect(await paths({ tags: { add: ["y"], other: 1 } })).toEqual({
      status: 422,
      paths: ["tags.other"],
    });
    expect(await paths({ tags: { add: ["e", "f"] } })).toEqual({ status: 422, paths: ["tags"] });
    expect(await paths({ ratings: { add: [9] }, tags: { remove: [1] } })).toEqual({
      status: 422,
      paths: ["ratings.add.0", "tags.remove.0"],
    });
    expect(await paths({ days: { remove: ["2026-01-31"] } })).toEqual({
      status: 422,
      paths: ["days"],
    });
    expect((await admin.get<Values>(`/products/${id}`)).body.tags).toEqual(["a", "b", "c", "d"]);
  });

  test("an element of another type has the same message wherever it is sent", async () => {
    const { id } = await product({ tags: [] });
    const wrong = [null, 1];
    const messages = await Promise.all(
      [{ tags: wrong }, { tags: { add: wrong } }, { tags: { remove: wrong } }].map(
        async (values) => {
          type Issues = { issues: { message: string }[] };
          const { body } = await admin.patch<Issues>(`/products/${id}`, values);
          return body.issues.map(({ message }) => message);
        },
      ),
    );
    expect(messages).toEqual(Array(3).fill(["A value is required", "Must be text"]));
  });

  test("twenty concurrent changes are all kept", async () => {
    const { id } = await product({ prices: [] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        admin.patch(`/products/${id}`, { prices: { add: [at] } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { prices } = (await admin.get<{ prices: number[] }>(`/products/${id}`)).body;
    expect(prices.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  test("in a batch", async () => {
    const { id } = await product({ tags: ["a"] });
    const { status, body } = await admin.post<{ data: Values[] }>("/_service/batch", {
      operations: [
        { update: "products", id, values: { tags: { add: ["b"] } } },
        { update: "products", id, values: { tags: { remove: ["a"] } } },
      ],
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(body.data.at(-1)?.tags).toEqual(["b"]);
  });
});

describe("lists of records", () => {
  beforeAll(async () => {
    await app.db.query("delete from products");
    await product({
      name: "one",
      tags: ["a", "b"],
      sizes: ["s"],
      ratings: [1, 2],
      days: ["2026-01-01"],
    });
    await product({ name: "two", tags: ["b", "Ære"], sizes: ["m"], ratings: [2], prices: [1.5] });
    await product({ name: "three", sizes: [], codes: ["TEA"] });
    await product({ name: "four", tags: ["null", "a,b"], ratios: [0.5] });
  });

  test("has, hasAny, hasAll", async () => {
    expect(await found("filter[tags][has]=b")).toEqual(["one", "two"]);
    expect(await found("filter[tags][has]=null")).toEqual(["four"]);
    expect(await found("filter[tags][hasAny]=a,null")).toEqual(["four", "one"]);
    expect(await found("filter[tags][hasAny]=a%5C,b")).toEqual(["four"]);
    expect(await found("filter[tags][hasAll]=a,b")).toEqual(["one"]);
    expect(await found("filter[tags][hasAll]=a&filter[tags][hasAll]=b")).toEqual(["one"]);
    expect(await found("filter[ratings][has]=2")).toEqual(["one", "two"]);
    expect(await found("filter[ratings][has]=2.5")).toEqual([]);
    expect(await found("filter[ratings][hasAny]=2.5,1")).toEqual(["one"]);
    expect(await found("filter[ratings][hasAll]=2.5,1")).toEqual([]);
    expect(await found("filter[prices][has]=1.50")).toEqual(["two"]);
    expect(await found("filter[ratios][has]=0.5")).toEqual(["four"]);
    expect(await found("filter[days][has]=2026-01-01")).toEqual(["one"]);
    expect(await found("filter[sizes][has]=m")).toEqual(["four", "two"]);
  });

  test("empty and not empty", async () => {
    expect(await found("filter[tags]=")).toEqual(["three"]);
    expect(await found("filter[tags]=null")).toEqual(["three"]);
    expect(await found("filter[tags][ne]=")).toEqual(["four", "one", "two"]);
    expect(await found("filter[sizes][ne]=null")).toEqual(["four", "one", "two"]);
    expect(await found("filter[days]=")).toEqual([]);
  });

  test("contains and q search elements", async () => {
    expect(await found("filter[tags][contains]=aer")).toEqual(["two"]);
    expect(await found("filter[codes][contains]=ea")).toEqual(["three"]);
    expect(await found("q=aere")).toEqual(["two"]);
    expect(await found("q=tea")).toEqual(["three"]);
    expect(await found("q=ab")).toEqual([]);
  });

  test("where", async () => {
    const where = (json: object) => found(`where=${encodeURIComponent(JSON.stringify(json))}`);
    expect(await where({ tags: { has: "a" } })).toEqual(["one"]);
    expect(await where({ not: { tags: { hasAny: ["a", "null"] } } })).toEqual(["three", "two"]);
    expect(await where({ or: [{ tags: null }, { ratings: { hasAll: [1, 2] } }] })).toEqual([
      "one",
      "three",
    ]);
    expect(await where({ tags: { ne: null, contains: "B" } })).toEqual(["four", "one", "two"]);
  });

  test.each([
    "filter[tags]=a",
    "filter[tags][ne]=a",
    "filter[tags][in]=a",
    "filter[tags][nin]=a",
    "filter[tags][gt]=a",
    "filter[tags][starts]=a",
    "filter[tags][has]=",
    "filter[tags][hasAny]=a,",
    "filter[tags][same]=a",
    "filter[sizes][has]=x",
    "filter[sizes][contains]=s",
    "filter[ratings][has]=x",
    "filter[name][has]=x",
    "sort=tags",
    `where=${encodeURIComponent('{"tags":"a"}')}`,
    `where=${encodeURIComponent('{"tags":["a"]}')}`,
    `where=${encodeURIComponent('{"tags":{"has":null}}')}`,
    `where=${encodeURIComponent('{"ratings":{"has":"1"}}')}`,
    `where=${encodeURIComponent('{"tags":{"hasAny":[]}}')}`,
    "fields=tags:3",
  ])("400 for %s", async (query) => {
    const { status, body } = await admin.get(`/products?${query}`);
    expect({ status, body }).toMatchObject({ status: 400 });
  });

  test("aggregations and statistics of lists are refused", async () => {
    for (const query of [
      "_aggregate?by=tags",
      "_aggregate?sum=ratings",
      "_stats?field=sizes",
      "_aggregate?distinct=tags",
    ]) {
      expect((await admin.get(`/products/${query}`)).status).toBe(400);
    }
  });

  test("rules compare elements", async () => {
    const clerk = (await app.caller("clerk")).client;
    const seller = (await app.caller("seller")).client;
    const names = async (client: Client) =>
      (await client.get<{ data: Values[] }>("/products?sort=name")).body.data.map(
        ({ name }) => name,
      );
    expect(await names(clerk)).toEqual([]);
    await product({ name: "shown", tags: ["shown"] });
    expect(await names(clerk)).toEqual(["shown"]);
    expect(await names(seller)).toEqual(["four", "one", "shown", "two"]);
  });
});

describe("what is kept of a record", () => {
  test("history has whole lists, and a revert restores them", async () => {
    const { id } = await product({ tags: ["a"] });
    await admin.patch(`/products/${id}`, { tags: { add: ["b"] } });
    const { body } = await admin.get<{ data: { id: string; changes: unknown }[] }>(
      `/products/${id}/_history`,
    );
    expect(body.data[0]?.changes).toEqual([{ field: "tags", from: ["a"], to: ["a", "b"] }]);
    const reverted = await admin.post(`/products/${id}/_revert`, { to: body.data[1]?.id });
    expect(reverted.body).toMatchObject({ record: { tags: ["a"] } });
  });

  test("the trash shows and restores lists", async () => {
    const made = await product({
      name: "kept",
      tags: ["a|b", "c"],
      sizes: [],
      ratings: [1, 2],
      prices: [1.25],
      ratios: [0.1],
      days: ["2026-05-05"],
    });
    await admin.delete(`/products/${made.id}`);
    const trashed = await admin.get<{ data: Values[] }>(
      "/products?trash=only&filter[tags][has]=c&filter[name]=kept",
    );
    const { createdAt, updatedAt, ...values } = made;
    expect(trashed.body.data[0]).toMatchObject(values);
    const restored = await admin.post(`/products/${made.id}/_restore`, undefined);
    expect({ status: restored.status, body: restored.body }).toMatchObject({
      status: 200,
      body: values,
    });
  });
});

test("the description of the resource names its lists", async () => {
  const { body } = await admin.get<{ data: { name: string; fields: Values[] }[] }>(
    "/_service/resources",
  );
  const fields = body.data.find(({ name }) => name === "products")?.fields;
  expect(fields?.find(({ name }) => name === "tags")).toMatchObject({
    type: "string",
    list: true,
    maxItems: 5,
    distinct: true,
    index: true,
    maxLength: 10,
    required: false,
  });
  expect(fields?.find(({ name }) => name === "days")).toMatchObject({
    type: "date",
    list: true,
    maxItems: 20,
    required: true,
    default: ["2026-01-31"],
  });
});
