import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, openShop, parameters, type Shop } from "../support/apps/shop.js";
import type { Json, Reply, Row } from "../support/http/client.js";

let shop: Shop;
let category: Row;
let tea: Row;
let cup: Row;
let customer: Row;
let order: Row;
let bare: Row;
const items: Row[] = [];

beforeAll(async () => {
  shop = await openShop();
  const { admin } = shop;
  category = await created(admin, "categories", { name: "Tea", summary: "Long words" });
  await created(admin, "categories", { name: "Green", parentId: category.id });
  tea = await created(admin, "products", shop.product("Sencha", { categoryId: category.id }));
  cup = await created(admin, "products", shop.product("Cup"));
  const me = await admin.get<{ user: { id: string } }>("/auth/me");
  customer = await created(admin, "customers", {
    name: "Ada",
    email: "ada@example.com",
    notes: "Never calls",
    accountId: me.body.user.id,
  });
  const placedAt = "2026-01-01T00:00:00Z";
  order = await created(admin, "orders", {
    number: 1,
    customerId: customer.id,
    handledById: me.body.user.id,
    placedAt,
  });
  bare = await created(admin, "orders", { number: 2, customerId: customer.id, placedAt });
  for (const [product, quantity] of [
    [tea, 3],
    [cup, 1],
  ] as const) {
    items.push(
      await created(admin, "order-items", {
        orderId: order.id,
        productId: product.id,
        quantity,
        unitPrice: quantity * 2,
      }),
    );
  }
});
afterAll(() => shop.app.close());

const { stringify } = JSON;
const without = (row: Row, ...keys: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)));

describe.each([
  [
    "a list",
    async (query: string) => {
      const reply = await shop.member.list(`/orders?sort=number&${query}`);
      return { reply: reply as Reply<unknown>, record: reply.body.data?.[0] };
    },
  ],
  [
    "GET one",
    async (query: string) => {
      const reply = await shop.member.get<Row>(`/orders/${order.id}?${query}`);
      return { reply: reply as Reply<unknown>, record: reply.body };
    },
  ],
])("include in %s", (_, ask) => {
  async function shown(query: string): Promise<Record<string, Json>> {
    const { reply, record } = await ask(query);
    expect(reply.status, reply.text).toBe(200);
    return record as Record<string, Json>;
  }

  test("shows a link's record behind the record's own members", async () => {
    const record = await shown("include=customer");
    expect(record).toEqual({ ...order, customer: without(customer, "notes") });
    expect(Object.keys(record)).toEqual([...Object.keys(order), "customer"]);
    expect(Object.keys(record.customer as object)).toEqual(
      Object.keys(customer).filter((key) => key !== "notes"),
    );
  });

  test("keeps the order asked for", async () => {
    const record = await shown("include=items,customer");
    expect(Object.keys(record).slice(-2)).toEqual(["items", "customer"]);
  });

  test("shows the records of an inverse, the oldest first, and whether there are more", async () => {
    expect((await shown("include=items")).items).toEqual({ data: items, more: false });
    expect((await shown("include=items&include[items][perPage]=1")).items).toEqual({
      data: items.slice(0, 1),
      more: true,
    });
    expect((await shown("include=items&include[items][perPage]=2")).items).toEqual({
      data: items,
      more: false,
    });
  });

  test("sorts and narrows what it includes", async () => {
    const query = "include=items&include[items][sort]=quantity&include[items][fields]=quantity";
    expect((await shown(query)).items).toEqual({
      data: [
        { id: items[1]?.id, quantity: 1 },
        { id: items[0]?.id, quantity: 3 },
      ],
      more: false,
    });
    const notes = "include=customer&include[customer][fields]=notes:5,name";
    expect((await shown(notes)).customer).toEqual({ id: customer.id, name: "Ada", notes: "Never" });
  });

  test("stands beside fields", async () => {
    const record = await shown("fields=number&include=customer&include[customer][fields]=name");
    expect(stringify(record)).toBe(
      stringify({ id: order.id, number: 1, customer: { id: customer.id, name: "Ada" } }),
    );
  });

  test("shows of an account its id, name and picture", async () => {
    const record = await shown("include=handledBy");
    expect(record.handledBy).toEqual({
      id: order.handledById,
      name: "Caller 1",
      image: null,
      imageFile: null,
    });
    const narrow = await shown("include=handledBy&include[handledBy][fields]=imageFile,name:3");
    expect(narrow.handledBy).toEqual({ id: order.handledById, name: "Cal", imageFile: null });
  });

  test.each([
    ["include=", ["include"]],
    ["include=colour", ["include"]],
    ["include=customerId", ["include"]],
    ["include=customer,customer", ["include"]],
    ["include=customer,", ["include"]],
    ["include=constructor", ["include"]],
    ["include=__proto__", ["include"]],
    ["include=customer.orders", ["include"]],
    ["include=customer&include=items", ["include"]],
    ["include=a,b,c,d,e,f,g,h,i", ["include"]],
    ["include=customer&include[items][perPage]=3", ["include[items][perPage]"]],
    ["include[items][perPage]=3", ["include[items][perPage]"]],
    ["include=items&include[items][perPage]=0", ["include[items][perPage]"]],
    ["include=items&include[items][perPage]=101", ["include[items][perPage]"]],
    ["include=items&include[items][perPage]=", ["include[items][perPage]"]],
    ["include=items&include[items][sort]=", ["include[items][sort]"]],
    ["include=items&include[items][sort]=colour", ["include[items][sort]"]],
    ["include=items&include[items][fields]=colour", ["include[items][fields]"]],
    ["include=items&include[items][fields]=", ["include[items][fields]"]],
    ["include=items&include[items][where]={}", ["include[items][where]"]],
    ["include=items&include[items]=", ["include[items]"]],
    ["include=customer&include[customer][sort]=name", ["include[customer][sort]"]],
    ["include=customer&include[customer][perPage]=1", ["include[customer][perPage]"]],
    ["include=handledBy&include[handledBy][fields]=email", ["include[handledBy][fields]"]],
    ["include=colour&include[colour][fields]=x&fields=y", ["fields", "include"]],
  ])("refuses %s", async (query, expected) => {
    expect(parameters((await ask(query)).reply)).toEqual(expected);
  });
});

test("a tree's links and inverses lead from a table to itself", async () => {
  const query = "sort=name&include=parent,children&include[children][fields]=name";
  const { body } = await shop.member.list(`/categories?${query}`);
  const [, green, root] = body.data;
  expect(green).toMatchObject({ parent: { id: category.id, name: "Tea" } });
  expect(green?.parent).not.toHaveProperty("summary");
  expect(green?.children).toEqual({ data: [], more: false });
  expect(root).toMatchObject({ parent: null });
  expect(root?.children).toEqual({ data: [{ id: green?.id, name: "Green" }], more: false });
});

test("other pages, sorts and totals of a list are those without", async () => {
  const plain = await shop.member.list("/orders?sort=-number&perPage=1&page=2");
  const { body } = await shop.member.list("/orders?sort=-number&perPage=1&page=2&include=items");
  expect(body.meta).toEqual(plain.body.meta);
  expect(body.data).toEqual([{ ...plain.body.data[0], items: { data: items, more: false } }]);
  expect(bare.number).toBe(2);
});

test("a list brings 5 000 records of inverses at most", async () => {
  const query = (perPage: number) => `perPage=${perPage}&include=items&include[items][perPage]=100`;
  expect((await shop.member.list(`/orders?${query(50)}`)).status).toBe(200);
  expect(parameters(await shop.member.list(`/orders?${query(51)}`))).toEqual(["include"]);
  const two = "perPage=100&include=products,children&include[products][perPage]=41";
  expect(parameters(await shop.member.list(`/categories?${two}`))).toEqual(["include"]);
});

describe("include in a body of _query", () => {
  const ask = (include: unknown) =>
    shop.member.post<{ data: Row[] }>("/orders/_query", { sort: ["number"], include });

  test("is what it is in an address", async () => {
    const options = { fields: ["quantity"], sort: ["quantity"], perPage: 1 };
    const { body } = await ask({ items: options, customer: true });
    const query = `include=items,customer&include[items][fields]=quantity&include[items][sort]=quantity&include[items][perPage]=1`;
    const inAddress = await shop.member.list(`/orders?sort=number&${query}`);
    expect(body.data).toEqual(inAddress.body.data);
    expect(body.data[0]).toHaveProperty("items.more", true);
  });

  test.each<[unknown, string[]]>([
    ["items", ["include"]],
    [["items"], ["include"]],
    [null, ["include"]],
    [{}, ["include"]],
    [{ items: false }, ["include"]],
    [{ colour: true }, ["include"]],
    [{ items: { perPage: "1" } }, ["include[items][perPage]"]],
    [{ items: { perPage: 1.5 } }, ["include[items][perPage]"]],
    [{ items: { fields: "quantity" } }, ["include[items][fields]"]],
    [{ items: { fields: [] } }, ["include[items][fields]"]],
    [{ items: { sort: [""] } }, ["include[items][sort]"]],
    [{ items: { where: {} } }, ["include[items][where]"]],
    [{ customer: { perPage: 1 } }, ["include[customer][perPage]"]],
  ])("refuses %j", async (include, expected) => {
    expect(parameters(await ask(include))).toEqual(expected);
  });
});
