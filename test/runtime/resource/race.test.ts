import { afterAll, beforeAll, expect, test } from "vitest";
import {
  created,
  expectRefusal,
  newName,
  openShop,
  paths,
  type Shop,
} from "../../support/apps/shop.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import type { Reply } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** Holds an uncommitted product of that name while the request runs, then commits it. */
async function racing(name: string, request: () => Promise<Reply>): Promise<Reply> {
  let reply: Promise<Reply> | undefined;
  await shop.app.db.transaction(async (held) => {
    await held.query(
      "insert into products (id, name, price, category_id) values (gen_random_uuid(), $1, 1, $2)",
      [name, shop.category.id],
    );
    reply = request();
    await untilBlocked();
  });
  if (reply === undefined) throw new Error("The request was not made");
  return reply;
}

/** Resolves when a statement waits for another one's row. */
async function untilBlocked(): Promise<void> {
  await expect.poll(() => shop.app.db.query(lockWaiters), { interval: 20 }).not.toEqual([]);
}

test("a unique value taken while a create waits is 409 with the field", async () => {
  const name = newName("Lamp");
  const reply = await racing(name, () => shop.admin.post("/products", shop.product(name)));
  expectRefusal(reply, 409, ["field"]);
  expect(reply.body).toMatchObject({ field: "name" });
});

test("a unique value taken while a change waits is 409 with the field", async () => {
  const { id } = await created(shop.admin, "products", shop.product(newName("Desk")));
  const name = newName("Shelf");
  const patch = await racing(name, () => shop.admin.patch(`/products/${id}`, { name }));
  expectRefusal(patch, 409, ["field"]);
  const stool = newName("Stool");
  const body = shop.product(stool, { active: true, status: "draft" });
  const put = await racing(stool, () => shop.admin.put(`/products/${id}`, body));
  expectRefusal(put, 409, ["field"]);
});

test("a unique value that is visibly taken is 422, on a change too", async () => {
  const name = newName("Bench");
  await created(shop.admin, "products", shop.product(name));
  const { id } = await created(shop.admin, "products", shop.product(newName("Sofa")));
  expect(paths(await shop.admin.post("/products", shop.product(name)))).toEqual(["name"]);
  expect(paths(await shop.admin.patch(`/products/${id}`, { name }))).toEqual(["name"]);
  const body = shop.product(name, { active: true, status: "draft" });
  expect(paths(await shop.admin.put(`/products/${id}`, body))).toEqual(["name"]);
});

test("two hundred changes of one record each move updatedAt", async () => {
  const { id, updatedAt } = await created(shop.admin, "products", shop.product(newName("Clock")));
  let last = updatedAt;
  for (let count = 0; count < 200; count += 1) {
    const { body } = await shop.admin.patch(`/products/${id}`, { price: 2 });
    expect(body.updatedAt > last).toBe(true);
    last = body.updatedAt;
  }
});

test("records that clear each other's links can be deleted concurrently", async () => {
  for (let count = 0; count < 20; count += 1) {
    const one = await created(shop.admin, "categories", { name: newName("One") });
    const two = await created(shop.admin, "categories", {
      name: newName("Two"),
      parentId: one.id,
    });
    await shop.admin.patch(`/categories/${one.id}`, { parentId: two.id });
    const replies = await Promise.all(
      [one, two].map(({ id }) => shop.admin.delete(`/categories/${id}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([204, 204]);
  }
});
