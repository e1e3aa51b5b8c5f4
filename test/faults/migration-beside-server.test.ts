import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { generateNextShop } from "../support/apps/next-shop.js";
import { created } from "../support/apps/shop.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

test("a server of the previous release continues to answer while a compatible migration is applied", async () => {
  const server = await host.serve();
  await fill(server);
  await generateNextShop(host.root);
  let isOver = false;
  const users = [0, 1, 2].map((user) => useUntil(server, user, () => isOver));
  await sleep(500);
  const { applied } = await migrate({
    url: host.databaseUrl,
    directory: join(host.root, "migrations"),
  });
  await sleep(500);
  isOver = true;
  const statuses = (await Promise.all(users)).flat();
  expect(applied).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 201, 204]));
  expect(statuses.length).toBeGreaterThan(50);
});

async function fill({ admin, category }: ShopServer): Promise<void> {
  for (let number = 0; number < 300; number += 1) {
    await created(admin, "products", { name: `P ${number}`, price: 1, categoryId: category.id });
  }
}

/** Creates, changes, reads, lists and deletes products again and again; the status of each answer. */
async function useUntil(
  { admin, category }: ShopServer,
  user: number,
  isOver: () => boolean,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let round = 0; !isOver(); round += 1) {
    const body = { name: `U ${user} ${round}`, price: 2, categoryId: category.id };
    const made = await admin.post<{ id: string }>("/products", body);
    const path = `/products/${made.body.id}`;
    const others = [
      await admin.patch(path, { status: "live" }),
      await admin.get(path),
      await admin.list("/products?sort=-createdAt&q=P"),
      await admin.get("/products/_stats"),
      await admin.delete(path),
    ];
    statuses.push(...[made, ...others].map(({ status }) => status));
  }
  return statuses;
}
