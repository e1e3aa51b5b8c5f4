import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockClasses, openDatabase } from "../../../runtime/db/index.js";
import { deleteOldAnswers } from "../../../runtime/resource/idempotency/kept-answers.js";
import {
  created,
  expectRefusal,
  newName,
  openShop,
  paths,
  type Shop,
} from "../../support/apps/shop.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import type { Client, Reply, Row } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

interface Keyed {
  readonly key: string;
  readonly body?: unknown;
  readonly caller?: Client;
}

function send(method: string, path: string, { key, body, caller = shop.admin }: Keyed) {
  return caller.send<Row>(method, path, {
    ...(body !== undefined && { text: JSON.stringify(body) }),
    headers: { "idempotency-key": key },
  });
}

let used = 0;
function newKey(): string {
  used += 1;
  return `key-${used}`;
}

function newProduct(name: string) {
  return shop.product(newName(name));
}

async function productsLike({ name }: Record<string, unknown>): Promise<number> {
  const { body } = await shop.admin.list(
    `/products?filter[name]=${encodeURIComponent(String(name))}`,
  );
  return body.meta.total;
}

async function logOf(id: string): Promise<unknown[]> {
  return [...(await shop.app.db.query("select xmin::text from products where id = $1", [id]))];
}

/** The same answer, said to be a repetition of the first. */
function expectReplay(again: Reply, first: Reply): void {
  expect(first.headers["idempotency-replayed"]).toBeUndefined();
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers.etag).toBe(first.headers.etag);
  expect(again.headers.location).toBe(first.headers.location);
  expect(again.headers["content-type"]).toBe(first.headers["content-type"]);
}

test("a repeated POST, PATCH, PUT and DELETE gets the first response, and writes nothing", async () => {
  const keys = [newKey(), newKey(), newKey(), newKey(), newKey()];
  const [create = "", update = "", replace = "", nothing = "", remove = ""] = keys;
  const body = newProduct("Repeated");
  const post = await send("POST", "/products", { key: create, body });
  expect(post.status, post.text).toBe(201);
  const path = `/products/${post.body.id}`;
  expectReplay(await send("POST", "/products", { key: create, body }), post);
  expect(await productsLike(body)).toBe(1);

  const patch = await send("PATCH", path, { key: update, body: { stock: 5 } });
  const whole = { ...body, active: true, status: "live" };
  const put = await send("PUT", path, { key: replace, body: whole });
  const empty = await send("PATCH", path, { key: nothing, body: {} });
  expect([patch.status, put.status, empty.status]).toEqual([200, 200, 200]);
  const version = await logOf(post.body.id);
  expectReplay(await send("PATCH", path, { key: update, body: { stock: 5 } }), patch);
  expectReplay(await send("PUT", path, { key: replace, body: whole }), put);
  expectReplay(await send("PATCH", path, { key: nothing, body: {} }), empty);
  expect(await logOf(post.body.id)).toEqual(version);

  const gone = await send("DELETE", path, { key: remove });
  expect(gone.status).toBe(204);
  expectReplay(await send("DELETE", path, { key: remove }), gone);
  // The answers stay what they were, although the record is gone.
  expectReplay(await send("PATCH", path, { key: update, body: { stock: 5 } }), patch);
  expectRefusal(await send("PATCH", path, { key: newKey(), body: { stock: 5 } }), 404);
});

test("another body, address or method with a key is 422", async () => {
  const key = newKey();
  const body = newProduct("First of its key");
  const { body: record } = await send("POST", "/products", { key, body });
  const text = JSON.stringify(body);
  const headers = { "idempotency-key": key };
  expectRefusal(await send("POST", "/products", { key, body: { ...body, stock: 1 } }), 422);
  expectRefusal(await send("POST", "/products/", { key, body }), 422);
  expectRefusal(await send("POST", "/products?a=b", { key, body }), 400, ["issues"]);
  expectRefusal(await send("POST", "/categories", { key, body }), 422);
  expectRefusal(await send("PATCH", `/products/${record.id}`, { key, body }), 422);
  expectRefusal(await send("DELETE", `/products/${record.id}`, { key }), 422);
  expectRefusal(await shop.admin.send("POST", "/products", { text: `${text} `, headers }), 422);
  expect((await send("POST", "/products", { key, body })).status).toBe(201);
});

test("a key belongs to its account, and the access rule is checked again", async () => {
  const key = newKey();
  const body = { name: "Own key", email: `${key}@example.com` };
  const first = await send("POST", "/customers", { key, body });
  expect(first.status).toBe(201);
  const other = await send("POST", "/customers", {
    key,
    body: { ...body, email: `other-${key}@example.com` },
    caller: shop.editor,
  });
  expect(other.status, other.text).toBe(201);
  expect(other.headers["idempotency-replayed"]).toBeUndefined();
  expectRefusal(await send("POST", "/customers", { key, body, caller: shop.member }), 403);
  expectRefusal(await send("POST", "/customers", { key, body, caller: shop.anonymous }), 401);
  const { app } = shop;
  const account = "(select id from service.users where role = 'admin')";
  await app.db.query(`update service.users set role = 'guest' where id = ${account}`);
  const asGuest = await send("POST", "/customers", { key, body });
  await app.db.query("update service.users set role = 'admin' where role = 'guest'");
  expectRefusal(asGuest, 403);
  expectReplay(await send("POST", "/customers", { key, body }), first);
});

test("only successful responses are remembered", async () => {
  const key = newKey();
  const body = newProduct("Taken at first");
  const { id } = await created(shop.admin, "products", body);
  expect(paths(await send("POST", "/products", { key, body }))).toEqual(["name"]);
  expect(paths(await send("POST", "/products", { key, body: { colour: 1 } }))).toContain("colour");
  await shop.admin.delete(`/products/${id}`);
  const made = await send("POST", "/products", { key, body });
  expect(made.status).toBe(201);
  expectReplay(await send("POST", "/products", { key, body }), made);
});

test("a repetition comes before 404, 412 and mistakes of values", async () => {
  const { id } = await created(shop.admin, "products", newProduct("Ordered"));
  const path = `/products/${id}`;
  const key = newKey();
  const { headers } = await shop.admin.get(path);
  const tag = { "idempotency-key": key, "if-match": headers.etag };
  const text = JSON.stringify({ stock: 2 });
  const first = await shop.admin.send("PATCH", path, { text, headers: tag });
  expect(first.status).toBe(200);
  expectReplay(await shop.admin.send("PATCH", path, { text, headers: tag }), first);
  for (const [method, other] of [
    ["PATCH", "/products/no-uuid"],
    ["PATCH", `/products/${shop.category.id}`],
    ["POST", "/products"],
  ] as const) {
    const reply = await shop.admin.send(method, other, {
      text: `{"colour":1}`,
      headers: { "idempotency-key": key },
    });
    expectRefusal(reply, 422);
  }
  for (const [bad, status] of [
    ["{", 400],
    ["[]", 400],
  ] as const) {
    expectRefusal(await shop.admin.send("PATCH", path, { text: bad, headers: tag }), status);
  }
});

test("a malformed key is 400, on every write", async () => {
  // A test that is tried again has used its keys already, for another record.
  await shop.app.db.query("delete from service.kept_answers");
  const { id } = await created(shop.admin, "products", newProduct("Malformed key"));
  for (const key of ["", " ", "a b", "k".repeat(256), "schlüssel", "tab\tkey"]) {
    const body = { stock: 1 };
    expectRefusal(await send("POST", "/products", { key, body }), 400);
    expectRefusal(await send("PATCH", `/products/${id}`, { key, body }), 400);
    expectRefusal(await send("PUT", `/products/${id}`, { key, body }), 400);
    expectRefusal(await send("DELETE", `/products/${id}`, { key }), 400);
  }
  const twice = { text: "{}", headers: { "idempotency-key": ["one", "two"] } };
  expectRefusal(await shop.admin.send("PATCH", `/products/${id}`, twice), 400);
  for (const key of ["k".repeat(255), '"quoted-key"', "!~", "é".normalize("NFD").slice(0, 1)]) {
    expect((await send("PATCH", `/products/${id}`, { key, body: { stock: 1 } })).status).toBe(200);
  }
  expect((await send("GET", `/products/${id}`, { key: "" })).status).toBe(200);
});

test("one of twenty concurrent requests writes, and all get its response", async () => {
  for (let round = 0; round < 3; round += 1) {
    const key = newKey();
    const body = newProduct("At once");
    const all = Array.from({ length: 20 }, () => send("POST", "/products", { key, body }));
    const replies = await Promise.all(all);
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    const first = replies.filter(({ headers }) => headers["idempotency-replayed"] === undefined);
    expect(first).toHaveLength(1);
    expect(await productsLike(body)).toBe(1);
  }
});

test("while the first is in progress the others hold no connection, and are 409 after 5 seconds", async () => {
  const { id } = await created(shop.admin, "products", newProduct("Held"));
  const key = newKey();
  const holder = openDatabase({ url: shop.app.databaseUrl, poolSize: 1, prepare: true });
  const replies: Promise<Reply>[] = [];
  let answered = 0;
  await holder.transaction(async ({ query }) => {
    // As another server that has the key does.
    await query(
      "select pg_advisory_xact_lock($1, hashtext(u.id || ' ' || $2)) from service.users u where role = 'admin'",
      [lockClasses.keyedRequest, key],
    );
    for (let sent = 0; sent < 20; sent += 1) {
      const reply = send("PATCH", `/products/${id}`, { key, body: { stock: 7 } });
      replies.push(reply.finally(() => (answered += 1)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // More than the pool has.
    const others = await Promise.all(
      Array.from({ length: 20 }, () => shop.admin.patch(`/products/${id}`, { stock: 1 })),
    );
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answered).toBe(0);
    for (const reply of await Promise.all(replies)) {
      expectRefusal(reply, 409);
      expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
    }
  });
  await holder.close();
  expect((await shop.admin.get(`/products/${id}`)).body.stock).toBe(1);
  expect((await send("PATCH", `/products/${id}`, { key, body: { stock: 7 } })).status).toBe(200);
});

test("a server of another release, with other locks, and this one write once in all", async () => {
  const { id } = await created(shop.admin, "products", newProduct("Of two releases"));
  const { text: record } = await shop.admin.get(`/products/${id}`);
  const [key, body] = [newKey(), { stock: 9 }];
  const digest = createHash("sha256").update(`PATCH /api/products/${id}\n${JSON.stringify(body)}`);
  const other = openDatabase({ url: shop.app.databaseUrl, poolSize: 1, prepare: true });
  const reply = await other.transaction(async ({ query }) => {
    await query(
      `insert into service.kept_answers (account_id, key, request, status, body)
       select id::text, $1, $2, 200, $3 from service.users where role = 'admin'`,
      [key, digest.digest(), record],
    );
    const reply = send("PATCH", `/products/${id}`, { key, body });
    await expect.poll(() => shop.app.db.query(lockWaiters)).toHaveLength(1);
    return { reply };
  });
  await other.close();
  const { status, text, headers } = await reply.reply;
  expect([status, text, headers["idempotency-replayed"]]).toEqual([200, record, "true"]);
  expect((await shop.admin.get(`/products/${id}`)).text).toBe(record);
});

test("a refusal is 503 while it is unknown whether an earlier request has caused it", async () => {
  const { id } = await created(shop.admin, "products", newProduct("Renamed"));
  const open = () => openDatabase({ url: shop.app.databaseUrl, poolSize: 1, prepare: true });
  const [renamer, locker] = [open(), open()];
  const body = newProduct("Taken meanwhile");
  const { reply, done } = await renamer.transaction(async ({ query }) => {
    await query("update products set name = $2 where id = $1", [id, body.name]);
    const reply = send("POST", "/products", { key: newKey(), body });
    await expect.poll(() => shop.app.db.query(lockWaiters)).toHaveLength(1);
    let lock = () => {};
    const locked = new Promise<void>((resolve) => {
      lock = resolve;
    });
    const done = locker.transaction(async (other) => {
      await other.query("lock table service.kept_answers in access exclusive mode");
      lock();
      await reply;
    });
    await locked;
    return { reply, done };
  });
  expectRefusal(await reply, 503);
  await done;
  await Promise.all([renamer.close(), locker.close()]);
});

test("after a day by PostgreSQL's clock a key is free again, and its response is deleted", async () => {
  const age = (hours: number) =>
    shop.app.db.query(
      "update service.kept_answers set kept_at = now() - make_interval(hours => $1)",
      [hours],
    );
  const key = newKey();
  const body = newProduct("Of yesterday");
  const first = await send("POST", "/products", { key, body });
  // At least two more are old then.
  await send("POST", "/products", { key: newKey(), body: newProduct("Old") });
  await send("POST", "/products", { key: newKey(), body: newProduct("Old too") });
  await age(23);
  expectReplay(await send("POST", "/products", { key, body }), first);
  await age(25);
  expect(paths(await send("POST", "/products", { key, body }))).toEqual(["name"]);
  const today = newProduct("Of today");
  const second = await send("POST", "/products", { key, body: today });
  expect(second.status).toBe(201);
  expectReplay(await send("POST", "/products", { key, body: today }), second);
  expect(await deleteOldAnswers(shop.app.db, 2)).toBe(2);
  while ((await deleteOldAnswers(shop.app.db, 100)) > 0);
  const left = await shop.app.db.query<{ key: string }>("select key from service.kept_answers");
  expect(left.map((row) => row.key)).toEqual([key]);
});

test("uploads accept no key", async () => {
  const headers = { "idempotency-key": "", "content-type": "application/pdf" };
  const text = Buffer.from("%PDF-1.4\n%%EOF\n");
  const reply = await shop.admin.send("PUT", "/_service/uploads/products/manual?name=a.pdf", {
    text,
    headers,
  });
  expect(reply.status, reply.text).toBe(201);
});
