import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { type Client, client, type Reply, type Row } from "../support/http/client.js";
import { pruneIn, uploaded } from "../support/storage/stored.js";

/** customers ← orders, carts ← items; payments and deliveries refuse, reminders are cleared. */
let app: RunningApp;
let caller: Client;
beforeAll(async () => {
  app = await startApp("cases/cascades", { policies: { orders: { delete: () => false } } });
  caller = client(app.url, app.token);
});
afterAll(() => app.close());

let customer: Row;
let order: Row;
let cart: Row;
beforeEach(async () => {
  customer = await created(caller, "customers", { name: "Ida" });
  order = await created(caller, "orders", { customerId: customer.id, status: "paid" });
  cart = await created(caller, "carts", { customerId: customer.id });
});

const errorOf = (reply: Reply) => (reply.body as { error: string }).error;
const statusOf = async (path: string) => (await caller.get(path)).status;

/** Counts that are not those of the rows. */
const wrongCounts = () => app.db.query("select * from service.wrong_counts()");

test("a delete cascades to related records, and to theirs, whatever their rules and policies", async () => {
  const item = await created(caller, "items", { orderId: order.id, cartId: cart.id });
  const reminder = await created(caller, "reminders", { orderId: order.id });
  const other = await created(caller, "customers", { name: "Eve" });
  const kept = await created(caller, "orders", { customerId: other.id });
  expectRefusal(await caller.delete(`/orders/${order.id}`), 403);
  expectRefusal(await caller.delete(`/carts/${cart.id}`), 403);
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
  for (const path of [`/orders/${order.id}`, `/carts/${cart.id}`, `/items/${item.id}`]) {
    expect(await statusOf(path)).toBe(404);
  }
  expect((await caller.get(`/reminders/${reminder.id}`)).body.orderId).toBeNull();
  expect((await caller.get(`/orders/${kept.id}`)).body).toEqual(kept);
  expectRefusal(await caller.delete(`/customers/${customer.id}`), 404);
});

test("totals and statistics follow a cascading delete", async () => {
  const count = async () =>
    (await caller.get<{ values: object }>("/orders/_stats?field=status")).body.values;
  const totalOf = async (path: string) => (await caller.list(path)).body.meta.total;
  await created(caller, "orders", { customerId: customer.id });
  await created(caller, "items", { orderId: order.id, cartId: cart.id });
  const before = { stats: await count(), items: await totalOf("/items") };
  await caller.delete(`/customers/${customer.id}`);
  const { open, paid } = before.stats as { open: number; paid: number };
  expect(await count()).toEqual({ open: open - 1, paid: paid - 1 });
  expect(await totalOf("/items")).toBe(before.items - 1);
  expect(await wrongCounts()).toEqual([]);
});

test("a record whose link refuses prevents the delete: 409 with the number of such records", async () => {
  const item = await created(caller, "items", { orderId: order.id, cartId: cart.id });
  const payment = await created(caller, "payments", { orderId: order.id });
  const direct = await caller.delete(`/customers/${customer.id}`);
  expectRefusal(direct, 409);
  expect(errorOf(direct)).toBe(
    "1 payment still belongs to this customer or to records that are deleted with it",
  );
  for (const path of [`/orders/${order.id}`, `/carts/${cart.id}`, `/items/${item.id}`]) {
    expect(await statusOf(path)).toBe(200);
  }
  expect((await caller.delete(`/payments/${payment.id}`)).status).toBe(204);
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
  expect(await wrongCounts()).toEqual([]);
});

test("a record in the cascade does not prevent the delete; a record outside of it does", async () => {
  const own = { senderId: customer.id, receiverId: customer.id };
  await created(caller, "deliveries", { ...own, orderId: order.id });
  const other = await created(caller, "customers", { name: "Eve" });
  const theirs = await created(caller, "orders", { customerId: other.id });
  const between = { senderId: customer.id, receiverId: other.id, orderId: theirs.id };
  const { id } = await created(caller, "deliveries", between);
  const reply = await caller.delete(`/customers/${customer.id}`);
  expectRefusal(reply, 409);
  expect(errorOf(reply)).toBe(
    "1 delivery still belongs to this customer or to records that are deleted with it",
  );
  expect((await caller.delete(`/deliveries/${id}`)).status).toBe(204);
  expect((await caller.delete(`/customers/${customer.id}`)).status).toBe(204);
});

test("a delete in SQL cascades like the server's", async () => {
  const { id } = await created(caller, "items", { orderId: order.id, cartId: cart.id });
  await app.db.query("delete from customers where id = $1", [customer.id]);
  expect(await statusOf(`/items/${id}`)).toBe(404);
  expect(await wrongCounts()).toEqual([]);
});

test("files of cascaded records are pruned like others", async () => {
  const { key } = await uploaded(caller, "orders/invoice");
  await created(caller, "orders", { customerId: customer.id, invoice: key });
  expect(await pruneIn(100, app)).toMatchObject({ uploads: 0 });
  await caller.delete(`/customers/${customer.id}`);
  expect(await pruneIn(200, app)).toMatchObject({ uploads: 0 });
  expect(await pruneIn(224, app)).toMatchObject({ uploads: 1, objects: 1 });
});

test("records created meanwhile are deleted too or refused, and none is left over", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id: customerId } = await created(caller, "customers", { name: `Raced ${round}` });
    const creates = Array.from({ length: 8 }, () => caller.post("/orders", { customerId }));
    const deleted = caller.delete(`/customers/${customerId}`);
    for (const { status } of await Promise.all(creates)) expect([201, 422]).toContain(status);
    expect((await deleted).status).toBe(204);
    const left = await caller.list(`/orders?filter[customerId]=${customerId}`);
    expect(left.body.meta.total).toBe(0);
  }
  expect(await wrongCounts()).toEqual([]);
});

test("the descriptor returns only the settings that were written", async () => {
  const reply = await caller.get<{ data: { name: string; fields: { name: string }[] }[] }>(
    "/_service/resources",
  );
  const fieldOf = (resource: string, field: string) =>
    reply.body.data
      .find(({ name }) => name === resource)
      ?.fields.find(({ name }) => name === field);
  expect(fieldOf("orders", "customerId")).toEqual({
    name: "customerId",
    link: "customer",
    type: "belongsTo",
    required: true,
    unique: false,
    resource: "customers",
    onDelete: "cascade",
    readable: true,
    writable: true,
  });
  expect(fieldOf("payments", "orderId")).toMatchObject({ onDelete: "refuse" });
  expect(fieldOf("deliveries", "senderId")).not.toHaveProperty("onDelete");
});
