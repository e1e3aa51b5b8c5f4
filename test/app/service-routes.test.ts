import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, openShop, type Shop } from "../support/apps/shop.js";

interface Descriptor {
  readonly name: string;
  readonly fields: readonly Record<string, unknown>[];
}

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

async function descriptors(): Promise<readonly Descriptor[]> {
  const reply = await shop.member.get<{ data: Descriptor[] }>("/_service/resources");
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.body)).toEqual(["data"]);
  return reply.body.data;
}

test("ping names version and installation, without a token and always the same", async () => {
  const reply = await shop.anonymous.get<{ app: string }>("/_service/ping");
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ service: "0.5.0", app: expect.stringMatching(/^\S{1,40}$/) });
  expect((await shop.admin.get("/_service/ping")).body).toEqual(reply.body);
});

test("the resources need a token", async () => {
  expectRefusal(await shop.anonymous.get("/_service/resources"), 401);
});

test("every resource is listed, except the built-in users", async () => {
  const names = (await descriptors()).map(({ name }) => name).sort();
  expect(names).toEqual([
    "categories",
    "coupons",
    "customers",
    "order-items",
    "orders",
    "products",
    "promotions",
    "reviews",
    "settings",
    "visits",
  ]);
});

test("a descriptor is returned as written, with its defaults", async () => {
  const products = (await descriptors()).find(({ name }) => name === "products");
  const open = { readable: true, writable: true };
  const plain = { required: false, unique: false, ...open };
  const needed = { required: true, unique: false, ...open };
  const values = ["draft", "live", "gone"];
  expect(products).toEqual({
    name: "products",
    singular: "Product",
    label: "Products",
    path: "/api/products",
    fields: [
      { name: "name", type: "string", required: true, unique: true, maxLength: 120, ...open },
      { name: "description", type: "text", ...plain, maxLength: 100_000 },
      { name: "price", type: "number", ...needed, min: 0, decimals: 2 },
      { name: "stock", type: "number", ...plain, integer: true, default: 0 },
      { name: "active", type: "boolean", ...needed, default: true },
      { name: "status", type: "enum", ...needed, values, default: "draft" },
      { name: "releasedOn", type: "date", ...plain },
      { name: "soldOutAt", type: "timestamp", ...plain },
      {
        name: "categoryId",
        link: "category",
        type: "belongsTo",
        ...needed,
        resource: "categories",
        inverse: "products",
      },
      { name: "image", type: "image", ...plain, profile: "product" },
      { name: "manual", type: "file", ...plain, accept: ["application/pdf"] },
    ],
    access: {
      list: "signed-in",
      get: "signed-in",
      stats: "signed-in",
      create: ["admin", "editor"],
      update: ["admin", "editor"],
      delete: ["admin", "editor"],
    },
    can: { list: true, get: true, stats: true, create: false, update: false, delete: false },
  });
});

test("a field's labels, pattern, format and derived lengths are returned", async () => {
  const customers = (await descriptors()).find(({ name }) => name === "customers");
  const field = (name: string) => customers?.fields.find((one) => one.name === name);
  expect(field("phone")).toEqual({
    readable: true,
    writable: true,
    name: "phone",
    type: "string",
    required: false,
    unique: false,
    label: "Telephone",
    description: "With the country's code",
    maxLength: 255,
    pattern: "\\+[1-9][0-9 ]{4,24}",
  });
  expect(field("email")).toMatchObject({ format: "email", maxLength: 255, unique: true });
  expect(field("name")).toMatchObject({ minLength: 2, maxLength: 255 });
  expect(field("portrait")).toMatchObject({ profile: "avatar" });
  expect(field("accountId")).toMatchObject({ resource: "users", unique: true });
});

test("lists of fields are returned as written, and omitted if there are none", async () => {
  const all = await descriptors();
  const named = (name: string) => all.find((one) => one.name === name);
  expect(named("order-items")).toMatchObject({ unique: [["orderId", "productId"]] });
  expect(named("order-items")).not.toHaveProperty("indexes");
  expect(named("orders")).toMatchObject({ indexes: [["status", "-placedAt"], ["-shippedOn"]] });
  expect(named("orders")).not.toHaveProperty("unique");
});

test("display settings of a resource are returned as written, and omitted if there are none", async () => {
  const all = await descriptors();
  const named = (name: string) => all.find((one) => one.name === name);
  expect(named("coupons")).toMatchObject({ title: "code", icon: "ticket", group: "Sales" });
  expect(named("categories")).toMatchObject({
    list: ["name", "summary", "position", "visible", "parentId"],
    form: [["name", "position"], "summary", ["visible", "parentId"], "banner"],
  });
  const position = named("categories")?.fields.find(({ name }) => name === "position");
  expect(position).toMatchObject({ help: "The lowest comes first" });
  for (const key of ["title", "icon", "group", "list", "form"]) {
    expect(named("products")).not.toHaveProperty(key);
  }
});

test("a narrower access rule wins, and labels are derived if none are written", async () => {
  const all = await descriptors();
  expect(all.find(({ name }) => name === "coupons")).toMatchObject({
    access: {
      list: ["admin", "editor"],
      get: ["admin", "editor"],
      stats: "signed-in",
      create: ["admin"],
      update: ["admin"],
      delete: ["admin"],
    },
  });
  expect(all.find(({ name }) => name === "visits")).toEqual({
    name: "visits",
    singular: "Visit",
    label: "Visits",
    path: "/api/visits",
    fields: [],
    access: {
      list: "signed-in",
      get: "signed-in",
      stats: "signed-in",
      create: "signed-in",
      update: "nobody",
      delete: "nobody",
    },
    can: { list: true, get: true, stats: true, create: true, update: false, delete: false },
  });
});

test.each(["/_service/changes?watch={}", "/_service/webhooks", "/_service/webhooks/x/deliveries"])(
  "if no resource has changes, %s does not exist",
  async (path) => expectRefusal(await shop.admin.get(path), 404),
);
