import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, openShop, paths, type Shop } from "../../support/apps/shop.js";

const unknownId = "01890000-0000-7000-8000-000000000000";

let shop: Shop;
let next = 0;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** A product of some milliseconds' age, with a value in every field that takes one without an upload. */
async function fullProduct() {
  next += 1;
  const fields = {
    description: "Old",
    price: 12.5,
    stock: 7,
    active: false,
    status: "live",
    releasedOn: "2024-05-06",
    soldOutAt: "2024-05-06T07:08:09.123Z",
  };
  const product = await created(shop.admin, "products", shop.product(`Product ${next}`, fields));
  await setTimeout(5);
  return product;
}

test("PATCH changes only the fields that are sent", async () => {
  const before = await fullProduct();
  const reply = await shop.admin.patch(`/products/${before.id}`, { stock: 8, description: null });
  expect(reply.status).toBe(200);
  expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  expect(reply.body).toEqual({
    ...before,
    stock: 8,
    description: null,
    updatedAt: expect.any(String),
  });
  expect(reply.body.updatedAt > before.updatedAt).toBe(true);
  expect((await shop.admin.get(`/products/${before.id}`)).text).toBe(reply.text);
});

test("PATCH accepts a merge patch, with null and with a slash at the end of the path", async () => {
  const before = await fullProduct();
  for (const type of [
    "application/merge-patch+json",
    "Application/Merge-Patch+JSON; charset=UTF-8",
  ]) {
    const sent = {
      text: JSON.stringify({ stock: 9, description: null }),
      headers: { "content-type": type },
    };
    const reply = await shop.admin.send("PATCH", `/products/${before.id}/`, sent);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({ id: before.id, stock: 9, description: null });
  }
});

test("PATCH with no field changes nothing, updatedAt included", async () => {
  const before = await fullProduct();
  const reply = await shop.admin.patch(`/products/${before.id}`, {});
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(before);
  const ignored = { id: unknownId, createdAt: null, updatedAt: "x" };
  const second = await shop.admin.patch(`/products/${before.id}`, ignored);
  expect(second.status).toBe(200);
  expect(second.body).toEqual(before);
});

test("PATCH with the stored value moves updatedAt", async () => {
  const before = await fullProduct();
  const reply = await shop.admin.patch(`/products/${before.id}`, { name: before.name });
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ ...before, updatedAt: expect.any(String) });
  expect(reply.body.updatedAt > before.updatedAt).toBe(true);
});

test("PATCH validates only the fields that are sent, and reports every problem", async () => {
  const before = await fullProduct();
  const other = await fullProduct();
  const sent = { name: other.name, categoryId: unknownId, price: -1, status: null, colour: 1 };
  const reply = await shop.admin.patch(`/products/${before.id}`, sent);
  expect(paths(reply)).toEqual(["categoryId", "colour", "name", "price", "status"]);
  expect((await shop.admin.get(`/products/${before.id}`)).body).toEqual(before);
});

test("PUT replaces: omitted optional fields become null, defaults are not used", async () => {
  const before = await fullProduct();
  const sent = {
    name: `${before.name} (new)`,
    price: 3,
    active: true,
    status: "gone",
    categoryId: shop.category.id,
  };
  const reply = await shop.admin.put(`/products/${before.id}`, sent);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    ...before,
    ...sent,
    description: null,
    stock: null,
    releasedOn: null,
    soldOutAt: null,
    updatedAt: expect.any(String),
  });
  expect(reply.body.updatedAt > before.updatedAt).toBe(true);
});

test("PUT needs every required field, even one with a default", async () => {
  const before = await fullProduct();
  const reply = await shop.admin.put(`/products/${before.id}`, { price: 3, imageFile: null });
  expect(paths(reply)).toEqual(["active", "categoryId", "imageFile", "name", "status"]);
  expect((await shop.admin.get(`/products/${before.id}`)).body).toEqual(before);
});

test("PUT accepts a record as it was read, except for the file details", async () => {
  const before = await fullProduct();
  const { imageFile: _image, manualFile: _manual, ...sent } = before;
  const reply = await shop.admin.put(`/products/${before.id}`, sent);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ ...before, updatedAt: expect.any(String) });
});

test("a record keeps its own unique value without an error", async () => {
  const before = await fullProduct();
  const reply = await shop.admin.put(`/products/${before.id}`, {
    name: before.name,
    price: 4,
    active: true,
    status: "live",
    categoryId: shop.category.id,
  });
  expect(reply.status).toBe(200);
});

test("a unique value of another record is 422 on PUT too", async () => {
  const [first, second] = [await fullProduct(), await fullProduct()];
  const { imageFile: _image, manualFile: _manual, ...sent } = first;
  const reply = await shop.admin.put(`/products/${first.id}`, { ...sent, name: second.name });
  expect(paths(reply)).toEqual(["name"]);
});

test("a unique value is free again once its record has another one", async () => {
  const [first, second] = [await fullProduct(), await fullProduct()];
  const name = first.name;
  expect((await shop.admin.patch(`/products/${first.id}`, { name: "Renamed" })).status).toBe(200);
  expect((await shop.admin.patch(`/products/${second.id}`, { name })).body.name).toBe(name);
});

test("a category may be the child of its child, and of itself", async () => {
  const parent = await created(shop.admin, "categories", { name: "Parent" });
  const child = await created(shop.admin, "categories", { name: "Child", parentId: parent.id });
  expect(child.parentId).toBe(parent.id);
  const loop = await shop.admin.patch(`/categories/${parent.id}`, { parentId: parent.id });
  expect(loop.body.parentId).toBe(parent.id);
});

test("a deleted record is 404 for PATCH and PUT", async () => {
  const { id } = await fullProduct();
  expect((await shop.admin.delete(`/products/${id}`)).status).toBe(204);
  expectRefusal(await shop.admin.patch(`/products/${id}`, {}), 404);
  expectRefusal(await shop.admin.patch(`/products/${id}`, { stock: 1 }), 404);
  expectRefusal(await shop.admin.put(`/products/${id}`, {}), 404);
});
