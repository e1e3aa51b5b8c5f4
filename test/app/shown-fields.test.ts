import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, openShop, parameters, type Shop } from "../support/apps/shop.js";
import type { Row } from "../support/http/client.js";

let shop: Shop;
let product: Row;

beforeAll(async () => {
  shop = await openShop();
  const description = `${"😀".repeat(150)}${"a".repeat(150)}`;
  product = await created(
    shop.admin,
    "products",
    shop.product("Teapot", { description, soldOutAt: "2024-06-01T10:00:00Z" }),
  );
});
afterAll(() => shop.app.close());

describe.each([
  ["a list", () => "/products", (body: Row) => (body.data as unknown as Row[])[0]],
  ["GET one", () => `/products/${product.id}`, (body: Row) => body],
])("fields in %s", (_, path, recordOf) => {
  async function shown(fields: string): Promise<Row | undefined> {
    const reply = await shop.member.get(`${path()}?fields=${fields}`);
    expect(reply.status, reply.text).toBe(200);
    return recordOf(reply.body as Row);
  }

  test("are shown in the record's order, with the id", async () => {
    const record = await shown("price,name");
    expect(record).toEqual({ id: product.id, name: "Teapot", price: 1 });
    expect(Object.keys(record ?? {})).toEqual(["id", "name", "price"]);
    expect(await shown("id")).toEqual({ id: product.id });
  });

  test("have the form that they have in the whole record", async () => {
    const all = Object.keys(product);
    expect(await shown(all.toReversed().join(","))).toEqual(product);
    expect(Object.keys((await shown(all.toReversed().join(","))) ?? {})).toEqual(all);
  });

  test("of files show only the details that the request names", async () => {
    expect(await shown("image")).toEqual({ id: product.id, image: null });
    expect(await shown("imageFile")).toEqual({ id: product.id, imageFile: null });
  });

  test("of text can be cut after a number of characters", async () => {
    expect(await shown("description:151")).toEqual({
      id: product.id,
      description: `${"😀".repeat(150)}a`,
    });
    expect(await shown("name:3,price")).toEqual({ id: product.id, name: "Tea", price: 1 });
  });

  test.each([
    "",
    "colour",
    "name,",
    "name,name",
    "name,name:3",
    "id,id",
    "name:0",
    "name:100001",
    "name:1e3",
    "price:2",
    "nameFile",
    "imageFile:3",
    "__proto__",
    "constructor",
    "created_at",
    "name;select",
    "name%00",
  ])("%j are refused", async (fields) => {
    expect(parameters(await shop.member.get(`${path()}?fields=${fields}`))).toEqual(["fields"]);
  });
});

test("pages, totals and sorts of a list are those of whole records", async () => {
  await created(shop.admin, "products", shop.product("Cup", { price: 3 }));
  const { body } = await shop.member.list("/products?fields=name&sort=-price&perPage=1&page=2");
  expect(body).toEqual({
    data: [{ id: product.id, name: "Teapot" }],
    meta: { page: 2, perPage: 1, total: 2, totalPages: 2 },
  });
});

test("GET of one record refuses parameters of lists", async () => {
  const path = `/products/${product.id}`;
  const names = ["page", "perPage", "sort", "q", "where", "filter[name]", "filter[price][gt]"];
  for (const name of names) {
    expect(parameters(await shop.member.get(`${path}?${name}=1`))).toEqual([name]);
  }
  expect((await shop.member.get(`${path}?_=1`)).body).toEqual(product);
});
