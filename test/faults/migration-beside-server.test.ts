import { join } from "node:path";
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
  const rounds = [0, 0, 0];
  const users = rounds.map((_, user) =>
    useUntil(server, user, (done) => {
      rounds[user] = done;
      return isOver;
    }),
  );
  await expect.poll(() => Math.min(...rounds)).toBeGreaterThan(2);
  const { applied } = await migrate({
    url: host.databaseUrl,
    directory: join(host.root, "migrations"),
  });
  const during = Math.max(...rounds);
  await expect.poll(() => Math.min(...rounds)).toBeGreaterThan(during + 2);
  isOver = true;
  const statuses = (await Promise.all(users)).flat();
  expect(applied).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 201, 204]));
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
  isOver: (rounds: number) => boolean,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let round = 0; !isOver(round); round += 1) {
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
