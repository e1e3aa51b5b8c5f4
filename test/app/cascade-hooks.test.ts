import { refusal } from "service/runtime/errors";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";

/** customers ← orders, carts ← items; payments and deliveries refuse, reminders are cleared. */
let app: RunningApp;
let caller: Client;
let calls: string[] = [];
let act: (name: string, record: { id: string }) => void = () => {};
beforeAll(async () => {
  const hooksOf = (resource: string) => ({
    beforeDelete: (record: { id: string }) => {
      calls.push(`${resource}.beforeDelete ${record.id}`);
      act(`${resource}.beforeDelete`, record);
    },
    afterDelete: (record: { id: string }) => {
      calls.push(`${resource}.afterDelete ${record.id}`);
    },
    beforeUpdate: () => {
      calls.push(`${resource}.beforeUpdate`);
    },
  });
  // Orders have none: what belongs to them is told of its end all the same.
  const hooks = {
    items: hooksOf("items"),
    carts: hooksOf("carts"),
    reminders: hooksOf("reminders"),
  };
  app = await startApp("cases/cascades", { hooks });
  caller = client(app.url, app.token);
});
afterAll(() => app.close());

let customer: Row;
let cart: Row;
let item: Row;
beforeEach(async () => {
  act = () => {};
  customer = await created(caller, "customers", { name: "Ida" });
  const order = await created(caller, "orders", { customerId: customer.id });
  cart = await created(caller, "carts", { customerId: customer.id });
  item = await created(caller, "items", { orderId: order.id, cartId: cart.id });
  await created(caller, "reminders", { orderId: order.id });
  calls = [];
});

test("records that go with another run their hooks, and cleared links run none", async () => {
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
  await expect.poll(() => calls.length).toBe(4);
  expect(calls).toEqual([
    `carts.beforeDelete ${cart.id}`,
    `items.beforeDelete ${item.id}`,
    `carts.afterDelete ${cart.id}`,
    `items.afterDelete ${item.id}`,
  ]);
});

test("a hook of a record that would go with another refuses the whole delete", async () => {
  act = (name) => {
    if (name === "items.beforeDelete") throw refusal(409, "This item is on its way");
  };
  const reply = await caller.delete(`/customers/${customer.id}`);
  expectRefusal(reply, 409);
  expect(reply.body).toEqual({ error: "This item is on its way" });
  expect((await caller.get(`/carts/${cart.id}`)).body).toEqual(cart);
  expect(calls.filter((call) => call.includes("after"))).toEqual([]);
});
