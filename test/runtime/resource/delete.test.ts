import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, openShop, type Shop } from "../../support/apps/shop.js";
import type { Reply, Row } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

const errorOf = (reply: Reply) => (reply.body as { error: string }).error;

function order(number: number, customer: Row, fields = {}) {
  const sent = { number, customerId: customer.id, placedAt: "2025-01-01T00:00:00Z", ...fields };
  return created(shop.member, "orders", sent);
}

test("deleting a record is 204 without a body, then 404", async () => {
  const { id } = await created(shop.admin, "products", shop.product("Short-lived"));
  const reply = await shop.admin.delete(`/products/${id}`);
  expect(reply.status).toBe(204);
  expect(reply.text).toBe("");
  expectRefusal(await shop.admin.get(`/products/${id}`), 404);
  expectRefusal(await shop.admin.delete(`/products/${id}`), 404);
});

test("a record that others require stays: 409 with their number", async () => {
  const category = await created(shop.admin, "categories", { name: "Full" });
  const fields = { categoryId: category.id };
  const first = await created(shop.admin, "products", shop.product("Inside", fields));
  const one = await shop.admin.delete(`/categories/${category.id}`);
  expectRefusal(one, 409);
  expect(errorOf(one)).toBe("1 product still belongs to this category");
  const second = await created(shop.admin, "products", shop.product("Inside too", fields));
  const two = await shop.admin.delete(`/categories/${category.id}`);
  expectRefusal(two, 409);
  expect(errorOf(two)).toBe("2 products still belong to this category");
  expect((await shop.admin.get(`/categories/${category.id}`)).body).toEqual(category);
  for (const { id } of [first, second]) await shop.admin.delete(`/products/${id}`);
  expect((await shop.admin.delete(`/categories/${category.id}`)).status).toBe(204);
});

test("the 409 has a number for each resource", async () => {
  const product = await created(shop.admin, "products", shop.product("Wanted"));
  const customer = await created(shop.admin, "customers", {
    name: "Eve",
    email: "eve@example.com",
  });
  for (const number of [101, 102, 103]) {
    const { id: orderId } = await order(number, customer);
    const item = { orderId, productId: product.id, unitPrice: 1 };
    await created(shop.member, "order-items", item);
  }
  await created(shop.admin, "promotions", { slot: "home", productId: product.id });
  const reply = await shop.admin.delete(`/products/${product.id}`);
  expectRefusal(reply, 409);
  expect(errorOf(reply)).toBe("3 order items and 1 promotion still belong to this product");
});

test("optional links are cleared", async () => {
  const customer = await created(shop.admin, "customers", {
    name: "Ida",
    email: "ida@example.com",
  });
  const coupon = await created(shop.admin, "coupons", { code: "GONE" });
  const placed = await order(2, customer, { couponId: coupon.id });
  expect((await shop.admin.delete(`/coupons/${coupon.id}`)).status).toBe(204);
  const after = await shop.member.get(`/orders/${placed.id}`);
  expect(after.body).toEqual({ ...placed, couponId: null, updatedAt: expect.any(String) });
});

test("a required link of one resource keeps the optional links of others untouched", async () => {
  const customer = await created(shop.admin, "customers", {
    name: "Kim",
    email: "kim@example.com",
  });
  const { id: productId } = await created(shop.admin, "products", shop.product("Reviewed"));
  const written = { productId, customerId: customer.id, rating: 4, body: "Just as told." };
  const review = await created(shop.member, "reviews", written);
  await order(3, customer);
  const reply = await shop.admin.delete(`/customers/${customer.id}`);
  expectRefusal(reply, 409);
  expect(errorOf(reply)).toBe("1 order still belongs to this customer");
  expect((await shop.member.get(`/reviews/${review.id}`)).body).toEqual(review);
});

test("the children of a deleted category lose their parent", async () => {
  const parent = await created(shop.admin, "categories", { name: "Parent" });
  const child = await created(shop.admin, "categories", { name: "Child", parentId: parent.id });
  await shop.admin.patch(`/categories/${parent.id}`, { parentId: parent.id });
  expect((await shop.admin.delete(`/categories/${parent.id}`)).status).toBe(204);
  expect((await shop.admin.get(`/categories/${child.id}`)).body.parentId).toBeNull();
});

test("a delete that is refused to every role is 403 for an administrator too", async () => {
  const { id } = await created(shop.admin, "settings", { key: "kept" });
  expectRefusal(await shop.admin.delete(`/settings/${id}`), 403);
});

test("exactly one of twenty concurrent deletes is 204", async () => {
  const { id } = await created(shop.admin, "products", shop.product("Contested"));
  // A machine that is slow enough lets some wait for the row for longer than they may: 503, "ask again".
  const deletion = async (): Promise<number> => {
    const { status } = await shop.admin.delete(`/products/${id}`);
    return status === 503 ? deletion() : status;
  };
  const statuses = (await Promise.all(Array.from({ length: 20 }, deletion))).sort();
  expect(statuses).toEqual([204, ...Array(19).fill(404)]);
});

test("a delete racing with creates leaves no record without its parent", async () => {
  for (let round = 0; round < 5; round += 1) {
    const category = await created(shop.admin, "categories", { name: `Raced ${round}` });
    const fields = { categoryId: category.id };
    const creates = Array.from({ length: 8 }, (_, index) =>
      shop.admin.post("/products", shop.product(`Raced ${round} ${index}`, fields)),
    );
    const deleted = shop.admin.delete(`/categories/${category.id}`);
    const statuses = (await Promise.all(creates)).map(({ status }) => status);
    for (const status of statuses) expect([201, 422]).toContain(status);
    const kept = await shop.admin.list(`/products?filter[categoryId]=${category.id}`);
    expect(kept.body.meta.total).toBe(statuses.filter((status) => status === 201).length);
    expect((await deleted).status).toBe(kept.body.meta.total === 0 ? 204 : 409);
  }
});
