import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, openShop, type Shop } from "../support/apps/shop.js";
import type { Client } from "../support/http/client.js";

let shop: Shop;
let callers: Readonly<Record<"admin" | "editor" | "member" | "anonymous", Client>>;
beforeAll(async () => {
  shop = await openShop();
  callers = shop;
});
afterAll(() => shop.app.close());

/** Who of admin, editor and member may do what; the empty body keeps every write from happening. */
const rules: readonly [resource: string, action: string, allowed: readonly string[]][] = [
  ["orders", "list", ["admin", "editor", "member"]],
  ["orders", "create", ["admin", "editor", "member"]],
  ["orders", "delete", ["admin", "editor", "member"]],
  ["products", "list", ["admin", "editor", "member"]],
  ["products", "get", ["admin", "editor", "member"]],
  ["products", "stats", ["admin", "editor", "member"]],
  ["products", "create", ["admin", "editor"]],
  ["products", "patch", ["admin", "editor"]],
  ["products", "put", ["admin", "editor"]],
  ["products", "delete", ["admin", "editor"]],
  ["categories", "patch", ["admin", "editor"]],
  ["categories", "delete", ["admin"]],
  ["coupons", "list", ["admin", "editor"]],
  ["coupons", "get", ["admin", "editor"]],
  ["coupons", "stats", ["admin", "editor", "member"]],
  ["coupons", "create", ["admin"]],
  ["reviews", "create", ["admin", "editor", "member"]],
  ["reviews", "delete", ["admin", "editor"]],
  ["settings", "list", ["admin", "editor", "member"]],
  ["settings", "create", ["admin"]],
  ["settings", "patch", ["admin"]],
  ["settings", "delete", []],
  ["visits", "create", ["admin", "editor", "member"]],
  ["visits", "patch", []],
  ["visits", "delete", []],
];

const unknownId = "01890000-0000-7000-8000-000000000000";
const requests: Readonly<
  Record<string, (caller: Client, path: string) => Promise<{ status: number }>>
> = {
  list: (caller, path) => caller.get(path),
  get: (caller, path) => caller.get(`${path}/${unknownId}`),
  stats: (caller, path) => caller.get(`${path}/_stats`),
  create: (caller, path) => caller.post(path, { unknownKey: 1 }),
  patch: (caller, path) => caller.patch(`${path}/${unknownId}`, {}),
  put: (caller, path) => caller.put(`${path}/${unknownId}`, {}),
  delete: (caller, path) => caller.delete(`${path}/${unknownId}`),
};

test.each(rules)("%s %s is for %j", async (resource, action, allowed) => {
  const passed: string[] = [];
  for (const name of ["admin", "editor", "member"] as const) {
    const reply = await requests[action]?.(callers[name], `/${resource}`);
    if (reply?.status !== 403) passed.push(name);
  }
  expect(passed).toEqual(allowed);
  expect((await requests[action]?.(callers.anonymous, `/${resource}`))?.status).toBe(401);
});

test("a request that the rule refuses is 403 { error }", async () => {
  expectRefusal(await shop.member.post("/products", shop.product("Forbidden")), 403);
  expect((await shop.member.list("/products?filter[name]=Forbidden")).body.meta.total).toBe(0);
});

test("a role works in full: an editor creates, changes and deletes", async () => {
  const { id } = await created(shop.editor, "products", shop.product("Edited"));
  expect((await shop.editor.patch(`/products/${id}`, { stock: 2 })).body.stock).toBe(2);
  expect((await shop.editor.delete(`/products/${id}`)).status).toBe(204);
});
