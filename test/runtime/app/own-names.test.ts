import { afterAll, beforeAll, expect, test } from "vitest";
import { byResource } from "../../../runtime/app/start/by-resource.js";
import type { Hooks, Policies } from "../../../runtime/own-code/index.js";
import type { ResourceDefinition } from "../../../runtime/resource/index.js";
import { type HookedShop, openHookedShop } from "../../support/apps/hooked-shop.js";
import { created, newName } from "../../support/apps/shop.js";

const definitions = ["orders", "order-items"].map(
  (resource) => ({ table: { resource } }) as ResourceDefinition,
);
const hooks: Hooks = {};
const policies: Policies = {};

test("functions for a resource are accepted by its name and by that of app.resources", () => {
  const own = { orders: hooks, orderItems: policies };
  expect(byResource("hooks", own, definitions)).toEqual({ orders: hooks, "order-items": policies });
  expect(byResource("hooks", { "order-items": hooks }, definitions)).toEqual({
    "order-items": hooks,
  });
});

test("a resource given by both names is refused, each on a separate line", () => {
  const both = { orderItems: {}, "order-items": {} };
  expect(() => byResource("policies", both, definitions)).toThrow(
    'policies: "orderItems" and "order-items" are the same resource (put the functions of both into one of them)',
  );
});

test("a name set to undefined does not count as the second", () => {
  const one = { orderItems: hooks, "order-items": undefined };
  expect(byResource("hooks", one, definitions)).toEqual({ "order-items": hooks });
});

test("a name of no resource is left to the check that refuses it", () => {
  expect(byResource("hooks", { orderitems: hooks }, definitions)).toEqual({ orderitems: hooks });
});

let shop: HookedShop;
const seen: string[] = [];
beforeAll(async () => {
  shop = await openHookedShop({
    hooks: { orderItems: { beforeCreate: ({ orderId }) => void seen.push(orderId) } },
    policies: { orderItems: { create: (_caller, { quantity }) => quantity < 5 } },
  });
});
afterAll(() => shop.close());

test("hooks and policies of orderItems run for order-items", async () => {
  seen.length = 0;
  const product = await created(shop.admin, "products", shop.product(newName("Tea")));
  const orderId = "01890000-0000-7000-8000-00000000000a";
  const item = { orderId, productId: product.id, unitPrice: 1 };
  expect((await shop.admin.post("/order-items", { ...item, quantity: 2 })).status).toBe(422);
  expect(seen).toEqual([orderId]);
  expect((await shop.admin.post("/order-items", { ...item, quantity: 9 })).status).toBe(403);
});
