import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newName, openShop, paths, type Shop } from "../../support/apps/shop.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import type { Reply } from "../../support/http/client.js";
import { download } from "../../support/storage/files.js";
import { known, pruneIn, putAvatar, uploaded } from "../../support/storage/stored.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** Resolves when a statement waits for another one's row. */
async function untilBlocked(): Promise<void> {
  await expect.poll(() => shop.app.db.query(lockWaiters), { interval: 10 }).not.toEqual([]);
}

/** The answer to a request that comes while pruning is about to delete an upload. */
async function duringDeletion(key: string, request: () => Promise<Reply>): Promise<Reply> {
  let reply: Promise<Reply> | undefined;
  await shop.app.db.transaction(async (held) => {
    await held.query("select from service.uploads where key = $1 for update", [key]);
    reply = request();
    await untilBlocked();
    await held.query("delete from service.uploads where key = $1", [key]);
  });
  if (reply === undefined) throw new Error("The request was not made");
  return reply;
}

test("a record that takes a file during its deletion is refused with 422", async () => {
  const { key } = await uploaded(shop.admin);
  const create = () =>
    shop.admin.post("/products", shop.product(newName("Deleted"), { manual: key }));
  expect(paths(await duringDeletion(key, create))).toEqual(["manual"]);

  const other = await uploaded(shop.admin);
  const { id } = (await shop.admin.post("/products", shop.product(newName("There")))).body;
  const change = () => shop.admin.patch(`/products/${id}`, { manual: other.key });
  expect(paths(await duringDeletion(other.key, change))).toEqual(["manual"]);
});

test("an account that takes a picture during its deletion is refused with 422", async () => {
  const { key } = (await putAvatar(shop.member)).body;
  await shop.member.patch("/auth/me", { avatar: null });
  const take = () => shop.member.patch("/auth/me", { avatar: key });
  expect(paths(await duringDeletion(key, take))).toEqual(["avatar"]);
});

test("a file that a record is taking is not deleted, and neither waits", async () => {
  await pruneIn(48, shop.app);
  const { key } = await uploaded(shop.admin);
  await shop.app.db.transaction(async (held) => {
    await held.query("update service.uploads set unused_since = null where key = $1", [key]);
    await held.query(
      `insert into products (id, name, price, category_id, manual)
       values (gen_random_uuid(), $3, 1, $1, $2)`,
      [shop.category.id, key, newName("Taking")],
    );
    expect(await pruneIn(24, shop.app)).toMatchObject({ uploads: 0 });
  });
  expect(await pruneIn(48, shop.app)).toMatchObject({ uploads: 0 });
  expect(await known(shop.app.db, [key])).toEqual([key]);
});

test("a record takes a file while two runs prune: either the file is there, or the record is refused", async () => {
  for (let round = 0; round < 40; round += 1) {
    const { key, url } = await uploaded(shop.admin);
    const body = shop.product(newName("Racing"), { manual: key });
    const post = async () => {
      await sleep(Math.random() * 20);
      return shop.admin.post("/products", body);
    };
    const [reply] = await Promise.all([post(), pruneIn(24, shop.app), pruneIn(24, shop.app)]);
    expect([201, 422], reply.text).toContain(reply.status);
    await pruneIn(24, shop.app);
    expect(await download(shop.app.url, url)).toMatchObject({
      status: reply.status === 201 ? 200 : 404,
    });
  }
});

test("several concurrent runs delete each file once", async () => {
  await pruneIn(1000, shop.app);
  for (let batch = 0; batch < 4; batch += 1) {
    await Promise.all(Array.from({ length: 10 }, () => uploaded(shop.admin)));
  }
  const runs = await Promise.all([1, 2, 3, 4].map(() => pruneIn(24, shop.app)));
  const sum = (of: "uploads" | "objects") => runs.reduce((all, run) => all + run[of], 0);
  expect({ uploads: sum("uploads"), objects: sum("objects") }).toEqual({
    uploads: 40,
    objects: 40,
  });
});
