import { refusal } from "service-runtime/errors";
import type { HookContext } from "service-runtime/own-code";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";

// biome-ignore lint/suspicious/noExplicitAny: hooks of an app in plain JavaScript do anything.
type Context = any;

/** customers ← orders, carts ← items; payments and deliveries refuse, reminders are cleared. */
let app: RunningApp;
let caller: Client;
let calls: string[] = [];
let act: (name: string, record: { id: string }, context: HookContext) => unknown = () => {};
/** Why each was called. */
let reasons: unknown[] = [];
beforeAll(async () => {
  const hooksOf = (resource: string) => ({
    beforeDelete: async (record: { id: string }, context: HookContext) => {
      calls.push(`${resource}.beforeDelete ${record.id}`);
      reasons.push(context.cascadedFrom);
      await act(`${resource}.beforeDelete`, record, context);
    },
    afterDelete: (record: { id: string }, { cascadedFrom }: HookContext) => {
      calls.push(`${resource}.afterDelete ${record.id}`);
      reasons.push(cascadedFrom);
    },
    beforeUpdate: () => {
      calls.push(`${resource}.beforeUpdate`);
    },
  });
  // Orders have none: hooks of what belongs to them still run.
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
  reasons = [];
});

test("records deleted by a cascade run their hooks, and cleared links run none", async () => {
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
  await expect.poll(() => calls.length).toBe(4);
  expect(calls).toEqual([
    `carts.beforeDelete ${cart.id}`,
    `items.beforeDelete ${item.id}`,
    `carts.afterDelete ${cart.id}`,
    `items.afterDelete ${item.id}`,
  ]);
  const cascadedFrom = { resource: "customers", id: customer.id };
  expect(reasons).toEqual(Array(4).fill(cascadedFrom));
});

test("context.because, the former name of cascadedFrom, warns once", async () => {
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const former: unknown[] = [];
  act = (_name, _record, context) => void former.push(context.because);
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
  const calls = warnings.mock.calls.filter(([message]) => String(message).includes("because"));
  warnings.mockRestore();
  expect(former).toEqual(Array(2).fill({ resource: "customers", id: customer.id }));
  expect(calls).toEqual([
    ["context.because is now called context.cascadedFrom", "DeprecationWarning"],
  ]);
});

test("a record that is deleted directly has no cascadedFrom", async () => {
  expect((await caller.delete(`/items/${item.id}`)).status).toBe(204);
  await expect.poll(() => reasons).toEqual([null, null]);
});

test("a delete that cascades to 1,000 records finishes if hooks leave those records as they are", async () => {
  await app.db.query("insert into carts (customer_id) select $1 from generate_series(1, 1000)", [
    customer.id,
  ]);
  act = async (_, cart, { cascadedFrom, resources }) => {
    if (cascadedFrom !== null) return;
    await (resources as Context).customers.update((cart as Context).customerId, { name: "Less" });
  };
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
  expect(calls.filter((call) => call.startsWith("carts.beforeDelete"))).toHaveLength(1001);
});

test("a hook of a cascaded record refuses the whole delete", async () => {
  act = (name) => {
    if (name === "items.beforeDelete") throw refusal(409, "This item is on its way");
  };
  const reply = await caller.delete(`/customers/${customer.id}`);
  expectRefusal(reply, 409);
  expect(reply.body).toEqual({ error: "This item is on its way" });
  expect((await caller.get(`/carts/${cart.id}`)).body).toEqual(cart);
  expect(calls.filter((call) => call.includes("after"))).toEqual([]);
});
