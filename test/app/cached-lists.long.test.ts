import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { migrate } from "../../runtime/migrate/index.js";
import { type FixtureApp, type RunningApp, startApp } from "../support/apps/app.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { created } from "../support/apps/shop.js";
import { usedAppFolder } from "../support/database/embedded-data.js";
import { type Client, client } from "../support/http/client.js";
import { tries } from "../support/searches.js";

// On a PostgreSQL of their own: what other files write, in other databases too, ends what is cached.
let root: string;
let stop: () => Promise<void>;
let shop: RunningApp;
let notes: RunningApp;
let admin: Client;
beforeAll(async () => {
  root = await usedAppFolder();
  const embedded = await startEmbedded({ root, settings: { fsync: "off", autovacuum: "off" } });
  stop = () => embedded.stop();
  shop = await start("apps/shop", embedded.url);
  notes = await start("apps/notes", embedded.url);
  admin = client(shop.url, shop.token);
});
afterAll(async () => {
  await notes.close();
  await shop.close();
  await stop();
  removeAppFolder(root);
});

async function start(name: FixtureApp, server: string): Promise<RunningApp> {
  const database = name.replace("/", "_");
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  const url = Object.assign(new URL(server), { pathname: database }).href;
  const migrations = join(import.meta.dirname, "../../fixtures", name, "migrations");
  await migrate({ url, directory: migrations });
  return startApp(name, {}, undefined, { url, drop: async () => {} });
}

const lists = [
  "/products",
  "/products?page=2&perPage=3",
  "/products?filter[status]=live",
  "/products?q=lamp",
  "/products?sort=price,-name",
  `/products?where=${encodeURIComponent(JSON.stringify({ or: [{ stock: 3 }, { name: "Lamp 4" }] }))}`,
  "/products?include=category",
  "/categories?include=products",
  "/products/_aggregate?sum=price&by=status",
  "/coupons",
];

test("a list is answered from memory while nothing is written, to callers who may still see it", async () => {
  const category = await created(admin, "categories", { name: "Of the cache" });
  await created(admin, "products", { name: "Lamp", price: 1, categoryId: category.id });
  const editor = client(shop.url, await shop.signIn("editor"));
  const path = "/products?sort=price";
  const first = await editor.get(path);
  expect((await admin.get(path)).text).toBe(first.text);
  expect((await admin.get(path)).text).toBe(first.text);
  await shop.db.transaction(async ({ query }) => {
    await query("lock table products in access exclusive mode");
    // From the table they would be 503, as the last one is.
    const replies = await Promise.all([editor.get(path), admin.get(path), editor.get(path)]);
    for (const { status, text } of replies) expect([status, text]).toEqual([200, first.text]);
    // Another list waits for the lock.
    expect((await admin.get("/products?sort=-price")).status).toBe(503);
  });
  await editor.delete("/auth/token");
  expect((await editor.get(path)).status).toBe(401);
});

test("two owners who send the same request see their own records", async () => {
  const [one, other] = [
    client(notes.url, await notes.signIn(null)),
    client(notes.url, await notes.signIn(null)),
  ];
  await created(one, "notebooks", { title: "Of the one" });
  await created(other, "notebooks", { title: "Of the other" });
  for (let round = 0; round < 4; round += 1) {
    expect((await one.list("/notebooks")).body.data.map(({ title }) => title)).toEqual([
      "Of the one",
    ]);
    expect((await other.list("/notebooks")).body.data.map(({ title }) => title)).toEqual([
      "Of the other",
    ]);
  }
});

test("after any write, by any writer, each list is as if nothing were cached", async () => {
  const category = await created(admin, "categories", { name: "Everything" });
  const ids: string[] = [];
  const callers = [
    admin,
    client(shop.url, await shop.signIn("editor")),
    client(shop.url, await shop.signIn(null)),
  ];
  const { db } = shop;
  let count = 0;
  const writes: readonly (() => Promise<unknown>)[] = [
    async () => {
      count += 1;
      const fields = {
        name: `Lamp ${count}`,
        price: count,
        stock: count % 5,
        categoryId: category.id,
      };
      ids.push(String((await created(admin, "products", fields)).id));
    },
    () => admin.patch(`/products/${ids[0]}`, { stock: count % 4, status: "live" }),
    async () => admin.delete(`/products/${ids.pop()}`),
    () => db.query("update products set price = price + 1 where stock = 3"),
    () => db.query("delete from reviews"),
    () =>
      db
        .transaction(async ({ query }) => {
          await query("update products set name = name || ' not'");
          throw new Error("No");
        })
        .catch(() => {}),
    () =>
      db.transaction(async ({ query }) => {
        await query("savepoint one");
        await query("update products set stock = 3");
        await query("rollback to one");
        await query("update products set stock = stock + 1 where id = $1", [ids[0]]);
        for (const path of lists) await admin.get(path);
        await sleep(5);
      }),
    () => db.query("update categories set name = name || '.' where id = $1", [category.id]),
  ];
  for (let at = 0; at < 12; at += 1) await writes[0]?.();
  for (let round = 0; round < tries(60); round += 1) {
    await writes[(round * 5) % writes.length]?.();
    for (const caller of callers) {
      const asked = () =>
        Promise.all(
          lists.map(async (path) => {
            const { status, text } = await caller.get(path);
            return `${path} ${status} ${text}`;
          }),
        );
      const [, , cached] = [await asked(), await asked(), await asked()];
      // A transaction that writes nothing ends what is cached.
      await db.query("select pg_current_xact_id()");
      expect(cached).toEqual(await asked());
    }
  }
});
