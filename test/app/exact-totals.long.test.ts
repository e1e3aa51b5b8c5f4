import { json, Router } from "express";
import type { AppOptions } from "service-runtime/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created } from "../support/apps/shop.js";
import { startTwoServers, type TwoServers } from "../support/apps/two-servers.js";
import { type Client, client, type Json, type Reply } from "../support/http/client.js";

// The stock of a product is the sum of its order lines here: hooks add and take away in every way that the documentation
// calls safe, under writes of every kind, at two servers at once. Whatever is refused leaves nothing.

// biome-ignore lint/suspicious/noExplicitAny: hooks of an app in plain JavaScript do anything.
type Any = any;

const ways: readonly ((resources: Any, id: string, pieces: number) => Promise<unknown>)[] = [
  async ({ products }, id, pieces) => {
    const { stock } = await products.get(id);
    await products.update(id, { stock: stock + pieces });
  },
  async ({ products }, id, pieces) => {
    const { data } = await products.list({ where: { id } });
    await products.update(id, { stock: data[0].stock + pieces });
  },
  async ({ products }, id, pieces) => {
    const { name, stock } = await products.get(id);
    await products.replace(id, { name, stock: stock + pieces });
  },
  async ({ products }, id, pieces) => {
    const { stock } = await products.get(id, { lock: true });
    await products.update(id, { stock: stock + pieces });
  },
  ({ products }, id, pieces) =>
    products.update(id, ({ stock }: { stock: number }) => ({ stock: stock + pieces })),
];

const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;
async function add(resources: Any, id: string, pieces: number): Promise<void> {
  await pick(ways)(resources, id, pieces);
}

const routes = Router();
/** A transaction of the app's own, whose line has a hook that writes what the transaction has read. */
routes.post("/order", json(), async ({ body }, response) => {
  const app: Any = both.apps[body.server];
  await app.transaction(
    async ({ resources }: Any) => {
      const { id } = await resources.products.get(body.productId);
      await resources.orderLines.create({ productId: id, quantity: body.quantity });
    },
    { again: 3 },
  );
  response.status(201).json({});
});

const own: AppOptions = {
  routes,
  hooks: {
    orderLines: {
      beforeCreate: (line: Any, { resources }) => add(resources, line.productId, line.quantity),
      beforeUpdate: async (changes: Any, line: Any, { resources }) => {
        const after = { ...line, ...changes };
        const parts = [
          [line.productId, -line.quantity],
          [after.productId, after.quantity],
        ].sort();
        for (const [id, pieces] of parts) await add(resources, id, pieces);
      },
      beforeDelete: (line: Any, { resources }) => add(resources, line.productId, -line.quantity),
    },
  },
};

let both: TwoServers;
let servers: readonly [Client, Client];
let products: readonly string[];
beforeAll(async () => {
  both = await startTwoServers("apps/stock", own);
  const { token } = both.running;
  servers = [client(both.urls[0], token), client(both.urls[1], token)];
  const make = (name: string) => created(servers[0], "products", { name, stock: 10_000 });
  products = (await Promise.all(["Tea", "Cocoa"].map(make))).map(({ id }) => id);
});
afterAll(() => both.close());

const quantity = () => 1 + Math.floor(Math.random() * 9);
const line = () => ({ productId: pick(products), quantity: quantity() });

/** The lines that are known, of which some may be gone. */
const lines: string[] = [];

const kinds: readonly ((server: 0 | 1) => Promise<Reply<unknown>>)[] = [
  async (server) => {
    const reply = await servers[server].post("/order-lines", line());
    if (reply.status === 201) lines.push(reply.body.id);
    return reply;
  },
  (server) => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    return servers[server].send("POST", "/order-lines", { text: JSON.stringify(line()), headers });
  },
  (server) => servers[server].patch(`/order-lines/${pick(lines)}`, { quantity: quantity() }),
  (server) => servers[server].put(`/order-lines/${pick(lines)}`, line()),
  (server) => servers[server].delete(`/order-lines/${pick(lines)}`),
  (server) => servers[server].post("/order", { ...line(), server }),
  (server) => batch(server, true),
  (server) => batch(server, false),
];

/** Some with a line that is refused, after the hooks of those before it. */
function batch(server: 0 | 1, atomic: boolean): Promise<Reply<unknown>> {
  const create = (values: Json) => ({ create: "order-lines", values });
  const wrong = Math.random() < 0.3 ? [create({ ...line(), quantity: 0 })] : [];
  const operations = [create(line()), create(line()), ...wrong];
  return servers[server].post("/_service/batch", { atomic, operations });
}

test("stock stays exact under writes of every kind on two servers", {
  timeout: 600_000,
}, async () => {
  lines.push((await created(servers[0], "order-lines", line())).id);
  for (let round = 0; round < 20; round += 1) {
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) => pick(kinds)(at % 2 === 0 ? 0 : 1)),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    expect([200, 201, 204, 404, 422, 503]).toEqual(expect.arrayContaining([...statuses]));
    const rows = await both.running.db.query<{ stock: number; exact: number }>(
      `select stock::int, 10000 + (
        select coalesce(sum(quantity), 0) from order_lines where product_id = products.id
      )::int as exact
      from products
      order by name`,
    );
    expect(rows.map(({ stock }) => stock)).toEqual(rows.map(({ exact }) => exact));
  }
});
