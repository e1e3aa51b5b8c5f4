import { types } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningApp, startApp } from "../../support/apps/app.js";
import { created, expectRefusal, paths } from "../../support/apps/shop.js";
import { type Client, client, type Row } from "../../support/http/client.js";
import { uploaded } from "../../support/storage/stored.js";

/** What each policy was asked about: the argument before the context. */
let asked: unknown[] = [];
let verdict: (values: object) => boolean;

/** A policy on each write of products; categories have none. */
const write = (_caller: unknown, ...about: object[]) => {
  asked.push(about.at(-2));
  return verdict(about.at(-2) ?? {});
};

let app: RunningApp;
let admin: Client;
let category: Row;
let other: Row;
let product: Row;
let products = 0;
let written = 0;
beforeAll(async () => {
  const policies = { products: { create: write, update: write, delete: write } };
  app = await startApp("apps/shop", { policies });
  admin = client(app.url, app.token);
  verdict = () => true;
  category = await created(admin, "categories", { name: "Everything" });
  other = await created(admin, "products", body("Other"));
});
afterAll(() => app.close());

beforeEach(async () => {
  verdict = () => true;
  products += 1;
  product = await created(admin, "products", body(`Product ${products}`));
  asked = [];
});

function body(name: unknown) {
  return { name, price: 1, active: true, status: "draft", categoryId: category.id };
}

const nowhere = "01890000-0000-7000-8000-000000000000";

/** A POST, a PATCH and a PUT of these values. */
function writes(values: object, id: unknown = product.id) {
  written += 1;
  const posted = { ...body(`Posted ${written}`), ...values };
  const put = { ...body(`Put ${written}`), ...values };
  return [
    () => admin.post("/products", posted),
    () => admin.patch(`/products/${id}`, values),
    () => admin.put(`/products/${id}`, put),
  ];
}

test.each([true, false])(
  "the body is checked before a policy with %s is called",
  async (isAllowed) => {
    verdict = () => isAllowed;
    for (const send of writes({ colour: 1, price: "x", status: "sold" })) {
      expect(paths(await send())).toEqual(["colour", "price", "status"]);
    }
    expect(paths(await admin.post("/products", {}))).toEqual(["categoryId", "name", "price"]);
    expect(asked).toEqual([]);
  },
);

test("a missing record is reported before the body is checked", async () => {
  for (const id of [nowhere, "no-id"]) {
    for (const send of writes({ price: "x" }, id).slice(1)) expectRefusal(await send(), 404);
  }
  expect(asked).toEqual([]);
});

test("the rule comes before the body, the policy and the record", async () => {
  const anonymous = client(app.url, null);
  const member = client(app.url, await app.signIn(null));
  for (const [caller, status] of [
    [anonymous, 401],
    [member, 403],
  ] as const) {
    expectRefusal(await caller.post("/products", { colour: 1 }), status);
    for (const id of [product.id, nowhere]) {
      expectRefusal(await caller.patch(`/products/${id}`, { price: "x" }), status);
      expectRefusal(await caller.put(`/products/${id}`, {}), status);
      expectRefusal(await caller.delete(`/products/${id}`), status);
    }
  }
  expect(asked).toEqual([]);
});

test("a caller whom the policy refuses gets no information about other records", async () => {
  const taken = { name: other.name };
  const dead = { categoryId: nowhere };
  const unknownFile = { manual: "products/manual/2026/01/none.pdf" };
  for (const [values, path] of [
    [taken, "name"],
    [dead, "categoryId"],
    [unknownFile, "manual"],
  ] as const) {
    verdict = () => false;
    for (const send of writes(values)) expectRefusal(await send(), 403);
    verdict = () => true;
    for (const send of writes(values)) expect(paths(await send())).toEqual([path]);
  }
});

test("a malformed body under a policy is refused without mention of other records", async () => {
  for (const send of writes({ name: other.name, categoryId: nowhere, price: "x" })) {
    expect(paths(await send())).toEqual(["price"]);
  }
  expect(asked).toEqual([]);
});

test("a malformed body without a policy is refused with all its mistakes, conflicts included", async () => {
  const { id } = await created(admin, "categories", { name: `Own ${products}` });
  const values = { name: category.name, parentId: nowhere, position: "x" };
  const all = ["name", "parentId", "position"];
  for (const reply of [
    await admin.post("/categories", values),
    await admin.patch(`/categories/${id}`, values),
    await admin.put(`/categories/${id}`, values),
  ]) {
    expect(paths(reply)).toEqual(all);
  }
});

test("a policy gets plain values that it cannot change", async () => {
  verdict = (values) => {
    expect(() => Object.assign(values, { price: 999 })).toThrow(TypeError);
    expect(() => Object.assign(values, { colour: "red" })).toThrow(TypeError);
    return true;
  };
  for (const send of writes({ stock: products })) {
    const reply = await send();
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.body).toMatchObject({ price: 1, stock: products });
  }
  expect(asked).toHaveLength(3);
  for (const values of asked) {
    expect(types.isProxy(values)).toBe(false);
    expect(Object.isFrozen(values)).toBe(true);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  }
});

test("a policy gets values as they will be stored", async () => {
  const soldOutAt = "2026-01-31T13:00:00.1239+01:00";
  const sent = { description: "", soldOutAt, categoryId: String(category.id).toUpperCase() };
  for (const send of writes(sent)) expect((await send()).status).toBeLessThan(300);
  expect(asked).toHaveLength(3);
  for (const values of asked) {
    expect(values).toMatchObject({
      description: null,
      soldOutAt: "2026-01-31T12:00:00.123Z",
      categoryId: category.id,
    });
  }
});

test("a file is attached under a policy, which gets its key", async () => {
  const { key } = await uploaded(admin);
  verdict = (values) => !("manual" in values);
  for (const send of writes({ manual: key })) expectRefusal(await send(), 403);
  verdict = (values) => "manual" in values && values.manual === key;
  for (const send of writes({ manual: key })) {
    const reply = await send();
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.body).toMatchObject({ manual: key, manualFile: { key, name: "manual.pdf" } });
  }
});

test("without a policy a write is one statement; with one it is decided in a transaction", async () => {
  const statements = vi.spyOn(pg.Client.prototype, "query");
  /** The statements of a request, without those that ask who makes it. */
  const statementsOf = async (send: () => Promise<{ status: number; text: string }>) => {
    statements.mockClear();
    const reply = await send();
    expect(reply.status, reply.text).toBeLessThan(300);
    const texts = statements.mock.calls.map(([asked]: unknown[]) => textOf(asked));
    return texts.filter((text) => !text.includes("service.sessions")).map(firstWord);
  };
  try {
    const name = `Counted ${products}`;
    const { id } = await created(admin, "categories", { name });
    const path = `/categories/${id}`;
    const post = () => admin.post("/categories", { name: `${name} too` });
    expect(await statementsOf(post)).toEqual(["insert"]);
    expect(await statementsOf(() => admin.patch(path, { position: 2 }))).toEqual(["update"]);
    expect(
      await statementsOf(() => admin.put(path, { name, position: 3, summary: "Put" })),
    ).toEqual(["update"]);
    expect(await statementsOf(() => admin.delete(path))).toEqual(["delete"]);

    const judged = (written: string) => ["begin", "select", "select", written, "commit"];
    const expected = [["begin", "insert", "commit"], judged("update"), judged("update")];
    for (const [at, send] of writes({ stock: 2 }).entries()) {
      expect(await statementsOf(send)).toEqual(expected[at]);
    }
    const remove = () => admin.delete(`/products/${product.id}`);
    expect(await statementsOf(remove)).toEqual(judged("delete"));
  } finally {
    statements.mockRestore();
  }
});

function textOf(asked: unknown): string {
  if (typeof asked === "string") return asked;
  return String((asked as { text?: string }).text);
}

function firstWord(text: string): string {
  return text.trim().split(/[\s;]/)[0] ?? "";
}
