import { afterAll, beforeAll, expect, test } from "vitest";
import { appHooks, type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal, newName, paths } from "../support/apps/shop.js";
import { type Client, client } from "../support/http/client.js";

let app: RunningApp;
let caller: Client;
beforeAll(async () => {
  app = await startApp("apps/stock", { hooks: await appHooks("apps/stock") });
  caller = client(app.url, app.token);
});
afterAll(() => app.close());

const stockOf = async (id: string) => (await caller.get(`/products/${id}`)).body.stock;

test("of 100 concurrent buyers of the last item, one wins", async () => {
  const { id: productId } = await created(caller, "products", {
    name: newName("Last piece"),
    stock: 1,
  });
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => caller.post("/order-lines", { productId })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 99 }, () => 409)]);
  expect(replies.find(({ status }) => status === 409)?.body).toEqual({ error: "Only 0 left" });
  expect(await stockOf(productId)).toBe(0);
  expect((await caller.list(`/order-lines?filter[productId]=${productId}`)).body.meta.total).toBe(
    1,
  );
});

test("items are sold while there are any, and can be returned", async () => {
  const { id: productId } = await created(caller, "products", { name: newName("Tea"), stock: 10 });
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => caller.post("/order-lines", { productId, quantity: 3 })),
  );
  const sold = replies.filter(({ status }) => status === 201);
  expect(sold).toHaveLength(3);
  expect(await stockOf(productId)).toBe(1);
  const path = `/order-lines/${sold[0]?.body.id}`;
  expectRefusal(await caller.patch(path, { quantity: 1 }), 409);
  expect((await caller.delete(path)).status).toBe(204);
  expect(await stockOf(productId)).toBe(4);
});

test("a batch that is refused leaves the stock as it was", async () => {
  const { id: productId } = await created(caller, "products", {
    name: newName("Coffee"),
    stock: 5,
  });
  const line = (quantity: number) => ({ create: "order-lines", values: { productId, quantity } });
  const operations = [line(2), line(2), line(2)];
  const reply = await caller.post("/_service/batch", { operations });
  expect(reply.status).toBe(409);
  expect(reply.body).toMatchObject({ error: "Only 1 left", index: 2 });
  expect(await stockOf(productId)).toBe(5);
  const loose = await caller.post("/_service/batch", { atomic: false, operations });
  expect(loose.body).toMatchObject({ errors: [{ index: 2, status: 409 }] });
  expect(await stockOf(productId)).toBe(1);
});

test("a missing product is refused at its field", async () => {
  const productId = "01890000-0000-7000-8000-000000000000";
  expect(paths(await caller.post("/order-lines", { productId }))).toEqual(["productId"]);
});
