import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, openShop, paths, type Shop } from "../../support/apps/shop.js";
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
  const text =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await shop.app.db.query(text)).length > 0) return;
    await sleep(20);
  }
  throw new Error("Nothing waits");
}

test("a unique value taken while a create waits is 409 with the field", async () => {
  const reply = await racing("Lamp", () => shop.admin.post("/products", shop.product("Lamp")));
  expectRefusal(reply, 409, ["field"]);
  expect(reply.body).toMatchObject({ field: "name" });
});

test("a unique value taken while a change waits is 409 with the field", async () => {
  const { id } = await created(shop.admin, "products", shop.product("Desk"));
  const patch = await racing("Shelf", () => shop.admin.patch(`/products/${id}`, { name: "Shelf" }));
  expectRefusal(patch, 409, ["field"]);
  const body = shop.product("Stool", { active: true, status: "draft" });
  const put = await racing("Stool", () => shop.admin.put(`/products/${id}`, body));
  expectRefusal(put, 409, ["field"]);
});

test("a unique value that is seen to be taken is 422, on a change too", async () => {
  await created(shop.admin, "products", shop.product("Bench"));
  const { id } = await created(shop.admin, "products", shop.product("Sofa"));
  expect(paths(await shop.admin.post("/products", shop.product("Bench")))).toEqual(["name"]);
  expect(paths(await shop.admin.patch(`/products/${id}`, { name: "Bench" }))).toEqual(["name"]);
  const body = shop.product("Bench", { active: true, status: "draft" });
  expect(paths(await shop.admin.put(`/products/${id}`, body))).toEqual(["name"]);
});

test("two hundred changes of one record each move updatedAt", async () => {
  const { id, updatedAt } = await created(shop.admin, "products", shop.product("Clock"));
  let last = updatedAt;
  for (let count = 0; count < 200; count += 1) {
    const { body } = await shop.admin.patch(`/products/${id}`, { price: 2 });
    expect(body.updatedAt > last).toBe(true);
    last = body.updatedAt;
  }
});

test("records that clear each other's links can be deleted at the same time", async () => {
  for (let count = 0; count < 20; count += 1) {
    const one = await created(shop.admin, "categories", { name: `One ${count}` });
    const two = await created(shop.admin, "categories", { name: `Two ${count}`, parentId: one.id });
    await shop.admin.patch(`/categories/${one.id}`, { parentId: two.id });
    const replies = await Promise.all(
      [one, two].map(({ id }) => shop.admin.delete(`/categories/${id}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([204, 204]);
  }
});
