import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderItems } from "../../fixtures/apps/shop/generated/order-items/table.js";
import { Parameters } from "../../runtime/http/request/parameters.js";
import { readOrder } from "../../runtime/resource/query/order.js";
import { Reach } from "../../runtime/resource/query/reach.js";
import { startApp } from "../support/apps/app.js";
import { created, expectRefusal, openShop, parameters, type Shop } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";

let shop: Shop;
let me: string;
const orders: Row[] = [];

beforeAll(async () => {
  shop = await openShop();
  const { admin } = shop;
  const coupon = await created(admin, "coupons", { code: "SECRET", discount: 0.5 });
  me = (await admin.get<{ user: { id: string } }>("/auth/me")).body.user.id;
  const ada = await created(admin, "customers", { name: "Ada", email: "ada@example.com" });
  const bob = await created(admin, "customers", {
    name: "Bob",
    email: "bob@example.com",
    accountId: me,
  });
  const placedAt = "2026-01-01T00:00:00Z";
  for (const [number, fields] of [
    [1, { customerId: ada.id, couponId: coupon.id }],
    [2, { customerId: bob.id, handledById: me }],
    [3, { customerId: bob.id }],
  ] as const) {
    orders.push(await created(admin, "orders", { number, placedAt, ...fields }));
  }
  const cup = await created(admin, "products", shop.product("Cup", { price: 5 }));
  const pot = await created(admin, "products", shop.product("Pot", { price: 50 }));
  for (const [at, product, quantity] of [
    [0, cup, 2],
    [0, pot, 1],
    [1, cup, 7],
  ] as const) {
    const orderId = orders[at]?.id;
    await created(admin, "order-items", { orderId, productId: product.id, quantity, unitPrice: 1 });
  }
});
afterAll(() => shop.app.close());

const whereOf = (where: unknown) => `where=${encodeURIComponent(JSON.stringify(where))}`;

async function numbers(where: unknown, caller: Client = shop.admin): Promise<unknown[]> {
  const reply = await caller.list(`/orders?sort=number&${whereOf(where)}`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.meta.total).toBe(reply.body.data.length);
  return reply.body.data.map(({ number }) => number);
}

describe("where over related records", () => {
  test.each<[where: unknown, found: number[]]>([
    [{ customer: { name: "Bob" } }, [2, 3]],
    [{ customer: {} }, [1, 2, 3]],
    [{ coupon: {} }, [1]],
    [{ not: { coupon: {} } }, [2, 3]],
    [{ coupon: { code: { ne: "OTHER" } } }, [1]],
    [{ not: { coupon: { code: "OTHER" } } }, [1, 2, 3]],
    [{ handledBy: { name: { starts: "caller" } } }, [2]],
    [{ customer: { account: { name: { contains: "1" } } } }, [2, 3]],
    [{ items: { some: {} } }, [1, 2]],
    [{ items: { none: {} } }, [3]],
    [{ items: { some: { quantity: { gte: 2 } } } }, [1, 2]],
    [{ items: { none: { quantity: { gte: 5 } } } }, [1, 3]],
    [{ items: { some: { quantity: 1 }, none: { quantity: 7 } } }, [1]],
    [{ items: { some: { product: { name: "Pot" } } } }, [1]],
    [{ items: { some: { product: { category: { name: "Everything" } } } } }, [1, 2]],
    [{ items: { some: { order: { customer: { name: "Ada" } } } } }, [1]],
    [{ or: [{ number: 3 }, { items: { some: { product: { price: { gt: 10 } } } } }] }, [1, 3]],
    [{ customer: { not: { or: [{ name: "Ada" }] } }, not: { handledBy: {} } }, [3]],
    [{ customer: { orders: { some: { number: 2 } } } }, [2, 3]],
  ])("%j", async (where, found) => {
    expect(await numbers(where)).toEqual(found);
  });

  test("narrows statistics too", async () => {
    const query = whereOf({ items: { some: {} } });
    const { body } = await shop.member.get<{ total: number }>(`/orders/_stats?${query}`);
    expect(body.total).toBe(2);
  });

  test("works with pages, cursors and include", async () => {
    const where = { items: { some: { quantity: { gt: 0 } } } };
    const query = `sort=number&perPage=1&page=2&include=customer&${whereOf(where)}`;
    const { body } = await shop.member.list(`/orders?${query}`);
    expect(body.meta.total).toBe(2);
    expect(body.data).toMatchObject([{ number: 2, customer: { name: "Bob" } }]);
    const { body: first } = await shop.member.list(
      `/orders?sort=number&perPage=1&cursor=&include=customer&${whereOf(where)}`,
    );
    expect(first.data).toMatchObject([{ number: 1, customer: { name: "Ada" } }]);
  });

  const nested = (levels: number, inner: unknown): unknown =>
    levels === 0 ? inner : { not: nested(levels - 1, inner) };
  const some = { items: { some: { quantity: 1 } } };

  test("takes 8 levels and three links and inverses", async () => {
    expect((await shop.member.get(`/orders?${whereOf(nested(6, some))}`)).status).toBe(200);
    expect(parameters(await shop.member.get(`/orders?${whereOf(nested(7, some))}`))).toEqual([
      "where",
    ]);
  });

  test("takes 50 conditions, each on a separate record", async () => {
    const bought = { items: { some: { quantity: { gte: 1 } } } };
    const through = { customer: { orders: { some: bought } } };
    const not = { not: { items: { some: { quantity: 7 } } } };
    expect(await numbers({ and: Array(50).fill(bought) })).toEqual([1, 2]);
    expect(await numbers({ and: Array(50).fill(through) })).toEqual([1, 2, 3]);
    expect(await numbers({ and: Array(50).fill(not) })).toEqual([1, 3]);
    expect(await numbers({ and: [not, ...Array(49).fill(through)] })).toEqual([1, 3]);
    expect(await numbers({ or: Array(50).fill({ customer: { orders: { none: {} } } }) })).toEqual(
      [],
    );
  });

  test.each<[title: string, where: unknown]>([
    ["a fourth link", { items: { some: { product: { category: { parent: {} } } } } }],
    ["a circle", { customer: { orders: { some: { customer: { orders: { none: {} } } } } } }],
    ["a link's id", { customer: "Ada" }],
    ["null for a link", { customer: null }],
    ["a list for a link", { customer: [] }],
    ["an inverse without some or none", { items: { quantity: 1 } }],
    ["an empty inverse", { items: {} }],
    ["every", { items: { every: {} } }],
    ["a list of inverses", { items: { some: [] } }],
    ["null in some", { items: { some: null } }],
    ["some on a link", { customer: { some: {} } }],
    ["an unknown field of a related record", { customer: { colour: 1 } }],
    ["a text of a related record", { customer: { notes: "a" } }],
    ["an account's address", { handledBy: { email: "a" } }],
    ["an account's role", { handledBy: { role: "admin" } }],
    ["an account's picture", { handledBy: { image: null } }],
    ["an account's time", { handledBy: { createdAt: null } }],
    ["an account's password", { handledBy: { password_hash: "a" } }],
    ["a link as a field", { "field:customer": {} }],
    ["a name of prototypes", { constructor: {} }],
    ["the table's name", { order_items: { some: {} } }],
    ["the resource's name", { "order-items": { some: {} } }],
    ["51 conditions", { items: { some: { or: Array(51).fill({ quantity: 1 }) } } }],
    ["51 links", { or: Array(51).fill({ customer: {} }) }],
    ["51 inverses", { and: Array(26).fill({ items: { some: {}, none: { and: [] } } }) }],
  ])("refuses %s", async (_, where) => {
    expect(parameters(await shop.member.get(`/orders?${whereOf(where)}`))).toEqual(["where"]);
  });
});

describe("sort by fields of related records", () => {
  const asked = async (path: string, key: string, caller = shop.admin): Promise<unknown[]> => {
    const reply = await caller.list(path);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data.map((row) => row[key]);
  };

  test.each<[sort: string, found: number[]]>([
    ["customer.name", [1, 2, 3]],
    ["-customer.name", [3, 2, 1]],
    ["customer.name,-id", [1, 3, 2]],
    ["-customer.name,number", [2, 3, 1]],
    ["coupon.code,number", [1, 2, 3]],
    ["-coupon.code,-number", [1, 3, 2]],
    ["handledBy.name,number", [2, 1, 3]],
    ["-handledBy.name,-number", [2, 3, 1]],
    ["customer.account.name,-number", [3, 2, 1]],
    ["status,-customer.name,number", [2, 3, 1]],
    ["customer.level,-customer.email,number", [2, 3, 1]],
  ])("%s", async (sort, found) => {
    expect(await asked(`/orders?sort=${sort}`, "number")).toEqual(found);
    const { body } = await shop.admin.post<{ data: Row[] }>("/orders/_query", {
      sort: sort.split(","),
      q: "",
      where: { number: { lte: 3 } },
    });
    expect(body.data.map(({ number }) => number)).toEqual(found);
    const second = await asked(`/orders?sort=${sort}&perPage=1&page=2`, "number");
    expect(second).toEqual([found[1]]);
    expect(await asked(`/orders?sort=${sort}&perPage=100&page=200`, "number")).toEqual([]);
  });

  test("works with conditions, selected fields and include", async () => {
    const query = "sort=-order.customer.name,quantity&filter[quantity][gt]=1";
    expect(await asked(`/order-items?${query}&fields=quantity`, "quantity")).toEqual([7, 2]);
    const path = "/products?sort=name&include=category.products";
    expect(await asked(path, "name")).toEqual(["Cup", "Pot"]);
    const sorted = "include[category.products][sort]=-category.name,-price";
    const { body } = await shop.admin.list(`${path}&${sorted}`);
    expect(body.data).toMatchObject([
      { category: { products: { data: [{ price: 50 }, { price: 5 }] } } },
      {},
    ]);
    const items = "include=items&include[items][sort]=-product.name&include[items][perPage]";
    const { body: order } = await shop.admin.get(`/orders/${orders[0]?.id}?${items}=1`);
    expect(order).toMatchObject({ items: { data: [{ quantity: 1 }], more: true } });
    const { body: counted } = await shop.admin.get(`/orders/${orders[0]?.id}?${items}=0`);
    expect(counted).toMatchObject({ items: { count: 2 } });
  });

  test.each(["order.shippedOn", "-order.shippedOn"])(
    "%s walks an index of the linked records",
    async (sort) => {
      const { walk, joins } = readOrder(orderItems, [sort, "-id"], {
        issues: new Parameters(""),
        reach: new Reach(null),
      });
      const listed = `select id from order_items ${joins} where ${walk?.parts[0]} order by ${walk?.order}`;
      const plan = await shop.app.db.transaction(async ({ query }) => {
        // As with many records.
        for (const way of ["hashjoin", "mergejoin", "sort", "seqscan", "bitmapscan"]) {
          await query(`set local enable_${way} to off`);
        }
        return query<Record<string, string>>(`explain (costs off) ${listed} limit 3`);
      });
      const text = plan.flatMap((line) => Object.values(line)).join("\n");
      expect(text).toContain("Incremental Sort");
      expect(text).toContain("using orders__shipped_on__index_d");
    },
  );

  test.each([
    ["sort=items.quantity", '"items" is not a link'],
    ["sort=customer.notes", "Text fields cannot be sorted"],
    ["sort=handledBy.email", '"email" is not a field'],
    ["sort=customer.name,number,coupon.code,status", "At most 3 fields"],
  ])("refuses %s", async (query, message) => {
    const { body } = await shop.admin.get<{ issues: unknown[] }>(`/orders?${query}`);
    expect(body.issues).toEqual([{ param: "sort", message }]);
  });
});

describe("fields and records that a caller may not read", () => {
  const secret = { coupon: { code: "SECRET" } };
  const queries = [
    `/orders?${whereOf(secret)}`,
    `/orders?${whereOf({ not: secret })}`,
    `/orders?${whereOf({ or: [{ number: 1 }, secret] })}`,
    `/orders?${whereOf({ customer: { orders: { some: secret } } })}`,
    `/orders?${whereOf({ coupon: { colour: 1 } })}`,
    `/orders?${whereOf({ coupon: {} })}&perPage=0`,
    `/orders?${whereOf({ and: [{ coupon: {} }, { price: {} }] })}`,
    `/orders/_stats?${whereOf(secret)}`,
    "/orders?include=coupon",
    "/orders?include=customer,coupon",
    "/orders?sort=coupon.code",
    "/orders?sort=-coupon.colour",
    "/orders?sort=number,coupon.id&cursor=",
    "/order-items?sort=order.coupon.code",
    "/customers?include=orders&include[orders][sort]=coupon.code",
    "/orders?include=coupon&include[coupon][fields]=colour",
  ];

  test.each(queries)("are refused by name: %s", async (query) => {
    const reply = await shop.member.get<{ error: string }>(query);
    expectRefusal(reply, 403);
    expect(reply.body.error).toContain("coupons");
    expect((await shop.anonymous.get(query)).status).toBe(401);
  });

  test("are refused for one record and in a body too", async () => {
    expectRefusal(await shop.member.get(`/orders/${orders[0]?.id}?include=coupon`), 403);
    expectRefusal(await shop.member.get(`/orders/${orders[1]?.id}?include=coupon`), 403);
    expectRefusal(await shop.member.post("/orders/_query", { where: secret }), 403);
    expectRefusal(await shop.member.post("/orders/_query", { sort: ["coupon.code"] }), 403);
    expectRefusal(await shop.member.post("/orders/_query", { include: { coupon: true } }), 403);
    const reply = await shop.admin.post("/orders/_query", {
      where: secret,
      include: { coupon: {} },
    });
    expect(reply.body).toMatchObject({ data: [{ number: 1, coupon: { code: "SECRET" } }] });
  });

  test("are not even read", async () => {
    await shop.app.db.transaction(async ({ query }) => {
      await query("lock table coupons in access exclusive mode");
      for (const query of queries) {
        expect((await shop.member.get(query)).status).toBe(403);
      }
    });
  });
});

describe("policies of related resources", () => {
  let answer = true;
  let asked: string[] = [];
  let admin: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const policy = (name: string) => () => {
      asked.push(name);
      return answer;
    };
    const app = await startApp("apps/shop", {
      policies: {
        products: { list: policy("list"), get: policy("get") },
        reviews: { list: policy("reviews") },
      },
    });
    admin = client(app.url, app.token);
    close = app.close;
    const category = await created(admin, "categories", { name: "Tea" });
    const fields = { name: "Cup", price: 1, categoryId: category.id };
    const product = await created(admin, "products", fields);
    await created(admin, "reviews", { productId: product.id, rating: 5, body: "Ten letters" });
  });
  afterAll(() => close());

  test.each([
    ["an inverse", "/categories?include=products", ["list"]],
    ["a condition on an inverse", `/categories?${whereOf({ products: { some: {} } })}`, ["list"]],
    ["a condition on a link", `/reviews?${whereOf({ product: { name: "Cup" } })}`, ["list"]],
    ["a sort by a link", "/reviews?sort=product.name", ["list"]],
  ])("the list policy is asked for %s", async (_, query, names) => {
    answer = true;
    asked = [];
    expect(await admin.get(query)).toMatchObject({ status: 200 });
    expect(asked.filter((name) => name !== "reviews")).toEqual(names);
    answer = false;
    const reply = await admin.get<{ error: string }>(query);
    expectRefusal(reply, 403);
    expect(reply.body.error).toContain("products");
  });

  test("a get policy cannot be applied to a linked record", async () => {
    answer = true;
    asked = [];
    expectRefusal(await admin.get("/reviews?include=product"), 403);
    expect(asked).not.toContain("get");
  });
});

describe("`auth.profiles: nobody`", () => {
  let admin: Client;
  let close: () => Promise<void>;
  beforeAll(async () => {
    process.env.SHOP_PROFILES = "nobody";
    const app = await startApp("apps/shop");
    delete process.env.SHOP_PROFILES;
    admin = client(app.url, app.token);
    close = app.close;
  });
  afterAll(() => close());

  test.each([
    "/orders?include=handledBy",
    "/orders?include=handledBy&include[handledBy][fields]=id",
    `/orders?${whereOf({ handledBy: {} })}`,
    "/orders?sort=handledBy.name",
    "/orders?sort=customer.account.id",
    `/orders?${whereOf({ customer: { account: { name: "Ada" } } })}`,
  ])("refuses %s", async (query) => {
    const reply = await admin.get<{ error: string }>(query);
    expectRefusal(reply, 403);
    expect(reply.body.error).toContain("users");
  });
});
