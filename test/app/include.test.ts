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
const json = (value: object) => encodeURIComponent(stringify(value));
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

  test("shows a link's record after the record's own members", async () => {
    const record = await shown("include=customer");
    expect(record).toEqual({ ...order, customer: without(customer, "notes") });
    expect(Object.keys(record)).toEqual([...Object.keys(order), "customer"]);
    expect(Object.keys(record.customer as object)).toEqual(
      Object.keys(customer).filter((key) => key !== "notes"),
    );
  });

  test("keeps the order of the request", async () => {
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

  test("sorts and narrows included records", async () => {
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

  test("works together with fields", async () => {
    const record = await shown("fields=number&include=customer&include[customer][fields]=name");
    expect(stringify(record)).toBe(
      stringify({ id: order.id, number: 1, customer: { id: customer.id, name: "Ada" } }),
    );
  });

  test("shows an account's id, name and picture only", async () => {
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
    ["include=customer.", ["include"]],
    ["include=.orders", ["include"]],
    ["include=customer.colour", ["include"]],
    ["include=handledBy.name", ["include"]],
    ["include=customer.orders,customer.orders", ["include"]],
    ["include=customer.orders.items.product", ["include"]],
    ["include=items.order.items.order", ["include"]],
    [`include=${"items.order.".repeat(600)}items`, ["include"]],
    ["include=a,b,c,d,e,f,g,h,i,j,k,l,m", ["include"]],
    ["include=a.b.c,d.e.f,g.h.i,j.k.l,m", ["include"]],
    ["include=customer&include[items][perPage]=3", ["include[items][perPage]"]],
    ["include[items][perPage]=3", ["include[items][perPage]"]],
    ["include=items&include[items][perPage]=-1", ["include[items][perPage]"]],
    [
      "include=customer.orders&include[customer.orders][perPage]=101",
      ["include[customer.orders][perPage]"],
    ],
    ["include=customer.orders&include[orders][perPage]=1", ["include[orders][perPage]"]],
    ["include=items&include[items.product][fields]=name", ["include[items.product][fields]"]],
    ["include=items.product&include[items.product][fields]=x", ["include[items.product][fields]"]],
    ["include=items.product&include[items.product][sort]=name", ["include[items.product][sort]"]],
    ["include=items&include[items][perPage]=101", ["include[items][perPage]"]],
    ["include=items&include[items][perPage]=", ["include[items][perPage]"]],
    ["include=items&include[items][sort]=", ["include[items][sort]"]],
    ["include=items&include[items][sort]=colour", ["include[items][sort]"]],
    ["include=items&include[items][fields]=colour", ["include[items][fields]"]],
    ["include=items&include[items][fields]=", ["include[items][fields]"]],
    ["include=items&include[items][where]={", ["include[items][where]"]],
    ["include=items&include[items][where]=[]", ["include[items][where]"]],
    ["include=items&include[items][where]=null", ["include[items][where]"]],
    [`include=items&include[items][where]=${json({ colour: 1 })}`, ["include[items][where]"]],
    [
      `include=items&include[items][where]=${json({ order: { items: { some: {} } } })}`,
      ["include[items][where]"],
    ],
    [
      `include=customer&include[customer][where]=${json({ name: "Ada" })}`,
      ["include[customer][where]"],
    ],
    ["include=items&include[items][count]=yes", ["include[items][count]"]],
    ["include=customer&include[customer][count]=true", ["include[customer][count]"]],
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

test("pages, sorts and totals of a list are those without include", async () => {
  const plain = await shop.member.list("/orders?sort=-number&perPage=1&page=2");
  const { body } = await shop.member.list("/orders?sort=-number&perPage=1&page=2&include=items");
  expect(body.meta).toEqual(plain.body.meta);
  expect(body.data).toEqual([{ ...plain.body.data[0], items: { data: items, more: false } }]);
  expect(bare.number).toBe(2);
});

test("a list includes at most 5 000 records of inverses", async () => {
  const query = (perPage: number) => `perPage=${perPage}&include=items&include[items][perPage]=100`;
  expect((await shop.member.list(`/orders?${query(50)}`)).status).toBe(200);
  expect(parameters(await shop.member.list(`/orders?${query(51)}`))).toEqual(["include"]);
  const two = "perPage=100&include=products,children&include[products][perPage]=41";
  expect(parameters(await shop.member.list(`/categories?${two}`))).toEqual(["include"]);
});

describe("include in a body of _query", () => {
  const ask = (include: unknown) =>
    shop.member.post<{ data: Row[] }>("/orders/_query", { sort: ["number"], include });

  test("means the same as in an address", async () => {
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
    [{ items: { where: "{}" } }, ["include[items][where]"]],
    [{ items: { where: null } }, ["include[items][where]"]],
    [{ items: { count: 1 } }, ["include[items][count]"]],
    [{ items: { include: ["product"] } }, ["include"]],
    [{ items: { include: { product: { include: true } } } }, ["include"]],
    [{ items: { include: { product: { fields: "name" } } } }, ["include[items.product][fields]"]],
    [{ items: { include: { product: { sort: ["name"] } } } }, ["include[items.product][sort]"]],
    [{ "items.product": true }, ["include"]],
    [{ customer: { perPage: 1 } }, ["include[customer][perPage]"]],
  ])("refuses %j", async (include, expected) => {
    expect(parameters(await ask(include))).toEqual(expected);
  });
});

describe("paths of includes", () => {
  const list = async (query: string) => {
    const reply = await shop.member.list(`/orders?sort=number&${query}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data as unknown as Record<string, never>[];
  };

  test("include the records on the way, in the order of the request", async () => {
    const query = "include=items.product.category,customer&include[items.product][fields]=name";
    const [first] = await list(query);
    expect(Object.keys(first ?? {}).slice(-2)).toEqual(["items", "customer"]);
    expect(first?.items).toEqual({
      data: items.map((item, at) => ({
        ...item,
        product: {
          id: [tea, cup][at]?.id,
          name: ["Sencha", "Cup"][at],
          category:
            at === 0
              ? without(category, "summary")
              : expect.objectContaining({ name: "Everything" }),
        },
      })),
      more: false,
    });
  });

  test("may also name the steps on the way, with options for each", async () => {
    const query = `include=items,items.product&include[items][sort]=quantity&include[items][perPage]=1&include[items][fields]=quantity&include[items.product][fields]=name`;
    expect((await list(query))[0]?.items).toEqual({
      data: [{ id: items[1]?.id, quantity: 1, product: { id: cup.id, name: "Cup" } }],
      more: true,
    });
  });

  test("may go in a circle, over three links", async () => {
    const [first] = await list("include=items.order.items&include[items.order.items][perPage]=1");
    expect(first).toMatchObject({
      items: { data: [{ order: { id: order.id, items: { data: [items[0]], more: true } } }, {}] },
    });
  });

  test("are limited to 12, counting steps on the way", async () => {
    const paths = [
      "customer.account",
      "coupon",
      "handledBy",
      "items.product.category",
      "items.product.reviews",
      "items.order.customer",
    ];
    // customer, customer.account, coupon, handledBy, items, items.product and its two, items.order and its customer
    const ten = `/orders?perPage=1&include=${paths}`;
    expect((await shop.admin.list(`${ten},items.order.coupon,items.order.handledBy`)).status).toBe(
      200,
    );
    const more = "items.order.coupon,items.order.handledBy,items.order.items";
    expect(parameters(await shop.admin.list(`${ten},${more}`))).toEqual(["include"]);
  });

  test("multiply the records of inverses, and add up over all", async () => {
    const most = async (perPage: number, of: string) =>
      (await shop.member.list(`/orders?perPage=${perPage}&${of}`)).status;
    const sizes = "include[items][perPage]=10&include[items.product.reviews][perPage]=9";
    const paths = "include=items.product.reviews";
    // 50 × 10 of items, and 9 reviews of each.
    expect(await most(50, `${paths}&${sizes}`)).toBe(200);
    expect(await most(51, `${paths}&${sizes}`)).toBe(400);
    expect(
      await most(50, `${paths},customer.orders&include[customer.orders][perPage]=1&${sizes}`),
    ).toBe(400);
    const none = "include[customer.orders][perPage]=0";
    expect(await most(50, `${paths},customer.orders&${none}&${sizes}`)).toBe(200);
    const reply = await shop.member.list(`/orders?perPage=100&${paths}&${sizes}`);
    expect(parameters(reply)).toEqual(["include"]);
    expect(reply.text).toContain("May return 10000 records");
  });

  test("an inverse is narrowed and counted", async () => {
    const where = json({ product: { name: "Cup" } });
    const narrowed = `include=items&include[items][where]=${where}`;
    expect((await list(narrowed))[0]?.items).toEqual({ data: [items[1]], more: false });
    expect((await list(`${narrowed}&include[items][count]=true`))[0]?.items).toEqual({
      data: [items[1]],
      more: false,
      count: 1,
    });
    const counted = await list(
      "include=items&include[items][count]=true&include[items][perPage]=1",
    );
    expect(counted.map((one) => one.items)).toEqual([
      { data: [items[0]], more: true, count: 2 },
      { data: [], more: false, count: 0 },
    ]);
    for (const more of ["", "&include[items][count]=true", "&include[items][count]=false"]) {
      const alone = await list(`include=items.product&include[items][perPage]=0${more}`);
      expect(alone.map((one) => one.items)).toEqual([{ count: 2 }, { count: 0 }]);
    }
    // What no record shows is neither looked up nor compared with.
    const path = "customer.orders.items";
    const unseen = `include=${path}&include[customer.orders][perPage]=0&include[${path}][where]=${where}`;
    expect((await list(unseen))[0]).toMatchObject({ customer: { orders: { count: 2 } } });
  });

  test("a where has 8 levels, 50 conditions and three links", async () => {
    const nested = (levels: number): object =>
      levels === 0 ? { quantity: 3 } : { not: nested(levels - 1) };
    const asked = (where: object) => {
      const written = json(where);
      return shop.member.list(`/orders?sort=number&include=items&include[items][where]=${written}`);
    };
    expect((await asked(nested(7))).status).toBe(200);
    expect(parameters(await asked(nested(8)))).toEqual(["include[items][where]"]);
    const many = (count: number) => ({ or: Array(count).fill({ quantity: 3 }) });
    expect((await asked(many(50))).status).toBe(200);
    expect(parameters(await asked(many(51)))).toEqual(["include[items][where]"]);
    const chain = { product: { category: { parent: {} } } };
    expect((await asked(chain)).status).toBe(200);
    const long = { product: { category: { parent: { parent: {} } } } };
    expect(parameters(await asked(long))).toEqual(["include[items][where]"]);
  });

  test("50 conditions on links in each of 12 paths are answered in time", async () => {
    const where = { and: Array(50).fill({ customer: { account: { name: { ne: "x" } } } }) };
    const include = {
      orders: { where, count: true, include: { customer: { include: { orders: { where } } } } },
    };
    const reply = await shop.member.post("/customers/_query", { include });
    expect(reply.status, reply.text).toBe(200);
  });

  test("are nested objects in a body", async () => {
    const include = {
      items: {
        where: { quantity: { gte: 1 } },
        count: true,
        include: { product: { fields: ["name"], include: { category: true } } },
      },
    };
    const reply = await shop.member.post<{ data: Row[] }>("/orders/_query", {
      sort: ["number"],
      include,
    });
    const where = json({ quantity: { gte: 1 } });
    const query = `include=items.product.category&include[items][where]=${where}&include[items][count]=true&include[items.product][fields]=name`;
    expect(reply.body.data).toEqual(await list(query));
  });

  test("need the rule at each step, and name the one that refuses", async () => {
    for (const path of [
      "customer.orders.coupon",
      "items.order.coupon",
      "customer.orders.coupon.x",
    ]) {
      const reply = await shop.member.get<{ error: string }>(`/orders?include=${path}`);
      expect([reply.status, reply.body.error]).toEqual([403, expect.stringContaining("coupons")]);
    }
    const where = json({ coupon: { code: "SECRET" } });
    const narrowed = `include=orders&include[orders][where]=${where}`;
    expect((await shop.member.get(`/customers?${narrowed}`)).status).toBe(403);
    expect((await shop.anonymous.get(`/customers?${narrowed}`)).status).toBe(401);
    expect((await shop.admin.get(`/customers?${narrowed}`)).status).toBe(200);
  });
});
