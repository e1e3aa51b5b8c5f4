import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  created,
  expectRefusal,
  openShop,
  parameters,
  paths,
  type Shop,
} from "../../support/apps/shop.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import { changedTags } from "../../support/http/changed-tags.js";
import type { Reply, Row } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

let made = 0;
function product(fields: Record<string, unknown> = {}): Promise<Row> {
  made += 1;
  return created(shop.admin, "products", shop.product(`Product ${made}`, fields));
}

async function tagOf(path: string): Promise<string> {
  const { status, headers } = await shop.admin.get(path);
  expect(status).toBe(200);
  expect(headers.etag).toMatch(/^"[!#-~]+"$/);
  return headers.etag ?? "";
}

interface Conditional {
  readonly tag?: string;
  readonly body?: unknown;
}

function send(method: string, path: string, { tag, body }: Conditional): Promise<Reply<Row>> {
  return shop.admin.send<Row>(method, path, {
    ...(body !== undefined && { text: JSON.stringify(body) }),
    ...(tag !== undefined && { headers: { "if-match": tag } }),
  });
}

describe("a record's tag", () => {
  test("is the same from GET one, HEAD, POST, PATCH and PUT, and changes with every write", async () => {
    const tags: (string | undefined)[] = [];
    const read = async (path: string) => {
      const head = await shop.admin.send("HEAD", path);
      expect(head.headers.etag).toBe(await tagOf(path));
      return head.headers.etag;
    };
    const post = await shop.admin.post("/products", shop.product("Tagged"));
    const path = `/products/${post.body.id}`;
    tags.push(post.headers.etag);
    expect(await read(path)).toBe(post.headers.etag);
    const patch = await shop.admin.patch(path, { stock: 3 });
    tags.push(patch.headers.etag);
    expect(await read(path)).toBe(patch.headers.etag);
    const put = await shop.admin.put(
      path,
      shop.product("Tagged", { active: true, status: "draft" }),
    );
    tags.push(put.headers.etag);
    expect(await read(path)).toBe(put.headers.etag);
    const nothing = await shop.admin.patch(path, {});
    expect(nothing.headers.etag).toBe(put.headers.etag);
    expect(new Set(tags).size).toBe(3);
  });

  test("changes with a cleared link, with SQL, and when an earlier state returns", async () => {
    const parent = await created(shop.admin, "categories", { name: "Parent" });
    const child = await created(shop.admin, "categories", { name: "Child", parentId: parent.id });
    const path = `/categories/${child.id}`;
    const tags = [await tagOf(path)];
    await shop.admin.delete(`/categories/${parent.id}`);
    tags.push(await tagOf(path));
    for (const position of [7, 1, 7, 1]) {
      await shop.app.db.query("update categories set position = $1 where id = $2", [
        position,
        child.id,
      ]);
      tags.push(await tagOf(path));
    }
    expect(new Set(tags).size).toBe(6);
  });

  test("stays when others link to the record, and when it is locked", async () => {
    const category = await created(shop.admin, "categories", { name: "Linked" });
    const tag = await tagOf(`/categories/${category.id}`);
    await product({ categoryId: category.id });
    await shop.app.db.query("select from categories for update");
    expect(await tagOf(`/categories/${category.id}`)).toBe(tag);
  });

  test("is not sent with a part of the record, nor with refusals", async () => {
    const { id } = await product();
    expect((await shop.admin.get(`/products/${id}?fields=name`)).headers.etag).toBeUndefined();
    expect((await shop.admin.get(`/products/${shop.category.id}`)).headers.etag).toBeUndefined();
    expect((await shop.admin.delete(`/products/${id}`)).headers.etag).toBeUndefined();
  });
});

describe("If-None-Match", () => {
  test("is 304 without a body if it has the tag, weak and listed too", async () => {
    const path = `/products/${(await product()).id}`;
    const tag = await tagOf(path);
    const listed = [`"other", ${tag}`, `"a,b",W/${tag}`, "*", ` ${tag} ,`];
    for (const known of [tag, ...listed, ...changedTags(tag)]) {
      for (const method of ["GET", "HEAD"]) {
        const reply = await shop.admin.send(method, path, { headers: { "if-none-match": known } });
        expect([reply.status, reply.text, reply.headers.etag], known).toEqual([304, "", tag]);
      }
    }
    const own = tag.slice(1, -1);
    for (const other of [`"${tag}"`, own, '"', "", "W/", `${tag}x`, "é", `"${own}-x"`, '"-gzip"']) {
      const reply = await shop.admin.send("GET", path, { headers: { "if-none-match": other } });
      expect(reply.status, other).toBe(200);
    }
    const part = `${path}?fields=name`;
    const partial = await shop.admin.send("GET", part, { headers: { "if-none-match": "*" } });
    expect([partial.status, Object.keys(partial.body as object)]).toEqual([200, ["id", "name"]]);
  });

  test("is 404 and 401 as usual, and 400 on every write", async () => {
    const { id } = await product();
    const headers = { "if-none-match": "*" };
    const missing = `/products/${shop.category.id}`;
    expectRefusal(await shop.admin.send("GET", missing, { headers }), 404);
    expectRefusal(await shop.anonymous.send("GET", missing, { headers }), 401);
    const text = JSON.stringify(shop.product("Never"));
    for (const [method, path] of [
      ["POST", "/products"],
      ["PATCH", `/products/${id}`],
      ["PUT", `/products/${id}`],
      ["DELETE", `/products/${id}`],
    ] as const) {
      const sent = method === "DELETE" ? { headers } : { headers, text };
      expectRefusal(await shop.admin.send(method, path, sent), 400);
      expectRefusal(await shop.member.send(method, path, sent), 403);
    }
  });
});

describe("If-Match", () => {
  test("lets a write through with the record's tag, in a list too, and with *", async () => {
    const path = `/products/${(await product()).id}`;
    const whole = () => shop.product(`Product ${made}`, { active: true, status: "live" });
    for (const form of [
      (tag: string) => tag,
      (tag: string) => `"a", ${tag} ,W/"b"`,
      (tag: string) => `,,${tag}`,
      () => "*",
      (tag: string) => `${'"x",'.repeat(1000)}${tag}`,
    ]) {
      const patched = await send("PATCH", path, {
        tag: form(await tagOf(path)),
        body: { stock: 1 },
      });
      expect(patched.status, patched.text).toBe(200);
      const tag = form(patched.headers.etag ?? "");
      const put = await send("PUT", path, { tag, body: whole() });
      expect(put.status, put.text).toBe(200);
      const none = await send("PATCH", path, { tag: form(put.headers.etag ?? ""), body: {} });
      expect(none.status).toBe(200);
    }
    expect((await send("DELETE", path, { tag: await tagOf(path) })).status).toBe(204);
  });

  test("accepts the record's tag as changed by compressing proxies, in a batch too", async () => {
    const { id } = await product();
    const path = `/products/${id}`;
    let stock = 1;
    for (const at of changedTags('""').keys()) {
      const changed = async () => changedTags(await tagOf(path))[at] ?? "";
      stock += 1;
      const patched = await send("PATCH", path, { tag: await changed(), body: { stock } });
      expect(patched.status, patched.text).toBe(200);
      const body = shop.product(`Product ${made}`, { active: true, status: "live" });
      expect((await send("PUT", path, { tag: await changed(), body })).status).toBe(200);
      const operation = { update: "products", id, values: { stock }, ifMatch: await changed() };
      const batch = await shop.admin.post("/_service/batch", { operations: [operation] });
      expect(batch.status, batch.text).toBe(200);
      const stale = { tag: changedTags(patched.headers.etag ?? "")[at] ?? "", body: { stock } };
      expectRefusal(await send("PATCH", path, stale), 412);
    }
    const [last = ""] = changedTags(await tagOf(path)).slice(-1);
    expect((await send("DELETE", path, { tag: last })).status).toBe(204);
  });

  test("is 412 for any other tag, and the record stays", async () => {
    const path = `/products/${(await product()).id}`;
    const tag = await tagOf(path);
    const body = shop.product("Changed", { active: true, status: "draft" });
    const own = tag.slice(1, -1);
    for (const other of [
      `W/"${own}x"`,
      `"${own}-x"`,
      '"-gzip"',
      '"other"',
      `"${tag.slice(2)}`,
      '""',
      '"a","b"',
      '"*"',
    ]) {
      expectRefusal(await send("PATCH", path, { tag: other, body: { stock: 9 } }), 412);
      expectRefusal(await send("PATCH", path, { tag: other, body: {} }), 412);
      expectRefusal(await send("PUT", path, { tag: other, body }), 412);
      expectRefusal(await send("DELETE", path, { tag: other }), 412);
    }
    expect(await tagOf(path)).toBe(tag);
  });

  test("is 400 if it is malformed or empty, and on POST", async () => {
    const path = `/products/${(await product()).id}`;
    for (const tag of ["", " ", ",", "abc", '"', '"a" "b"', 'w/"a"', '*, "a"', '"a b"', "W/*"]) {
      expectRefusal(await send("PATCH", path, { tag, body: { stock: 1 } }), 400);
      expectRefusal(await send("DELETE", path, { tag }), 400);
    }
    const body = shop.product("Not posted");
    expectRefusal(await send("POST", "/products", { tag: "*", body }), 400);
    expectRefusal(await send("POST", "/products", { tag: '"a"', body }), 400);
  });

  test("is checked after 404 and before the values", async () => {
    const taken = await product();
    const path = `/products/${(await product()).id}`;
    const tag = '"old"';
    const missing = `/products/${shop.category.id}`;
    expectRefusal(await send("PATCH", missing, { tag, body: { colour: 1 } }), 404);
    expectRefusal(await send("DELETE", missing, { tag }), 404);
    expectRefusal(await send("PATCH", path, { tag, body: { colour: 1 } }), 412);
    expectRefusal(await send("PATCH", path, { tag, body: { name: taken.name } }), 412);
    expectRefusal(await send("PATCH", path, { tag, body: { image: "no such key" } }), 412);
    const own = await tagOf(path);
    expect(paths(await send("PATCH", path, { tag: own, body: { name: taken.name } }))).toEqual([
      "name",
    ]);
    expect(paths(await send("PATCH", path, { tag: own, body: { colour: 1 } }))).toEqual(["colour"]);
  });

  test("exactly one of twenty changes with the same tag is made, of any kind", async () => {
    const { id, name } = await product({ stock: 0 });
    const path = `/products/${id}`;
    for (const method of ["PATCH", "PUT", "mixed"]) {
      const tag = await tagOf(path);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) => {
          const way = method === "mixed" ? (["PATCH", "PUT"][at % 2] ?? "") : method;
          const body = shop.product(String(name), { stock: at, active: true, status: "draft" });
          return send(way, path, { tag, body });
        }),
      );
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 412)).toHaveLength(19);
      expect((await shop.admin.get(path)).body).toEqual(won[0]?.body);
    }
  });

  test("a delete with a tag loses to a change that is not yet committed", async () => {
    for (const resource of ["products", "orders"]) {
      const { id } = await (resource === "products" ? product() : order());
      const tag = await tagOf(`/${resource}/${id}`);
      let reply: Promise<Reply> | undefined;
      await shop.app.db.transaction(async (held) => {
        await held.query(`update ${resource} set updated_at = now() where id = $1`, [id]);
        reply = send("DELETE", `/${resource}/${id}`, { tag });
        await expect.poll(() => shop.app.db.query(lockWaiters)).toHaveLength(1);
      });
      expectRefusal((await reply) as Reply, 412);
      expect((await shop.admin.get(`/${resource}/${id}`)).status).toBe(200);
    }
  });
});

describe("etags=true", () => {
  async function expectTags(path: string, body?: unknown): Promise<void> {
    const { status, body: page } = await (body === undefined
      ? shop.admin.get<Tagged>(path)
      : shop.admin.post<Tagged>(path, body));
    expect(status).toBe(200);
    expect(page.data.length).toBeGreaterThan(2);
    const own = await Promise.all(page.data.map(({ id }) => tagOf(`/products/${id}`)));
    expect(page.meta.etags).toEqual(own);
    expect(Object.keys(page.meta).at(-1)).toBe("etags");
  }

  test("adds the tags of whole records, in their order, to every kind of page", async () => {
    for (let count = 0; count < 7; count += 1) await product({ description: '\u001e, "x"' });
    await expectTags("/products?etags=true");
    await expectTags("/products?etags=true&fields=name,description:3&sort=-price,name");
    await expectTags("/products?etags=true&page=2&perPage=3");
    await expectTags("/products?etags=true&cursor=&perPage=3&sort=name");
    await expectTags("/products?etags=true&filter[stock][gte]=0");
    await expectTags("/products?etags=true&include=category&fields=name&perPage=5");
    await expectTags("/products/_query", { etags: true, fields: ["price"], cursor: "" });
    await expectTags("/products/_query", { etags: true, perPage: 4, page: 2 });
    const none = await shop.admin.get<Tagged>("/products?etags=true&filter[name]=none");
    expect(none.body).toMatchObject({ data: [], meta: { etags: [] } });
    const plain = await shop.admin.get<Tagged>("/products?etags=false");
    expect(plain.body.meta.etags).toBeUndefined();
    expect(plain.body.data).toEqual(
      (await shop.admin.get<Tagged>("/products?etags=true")).body.data,
    );
  });

  test("adds them to a long page, too", async () => {
    const description = "\u001e€".repeat(50_000);
    for (let count = 0; count < 8; count += 1) await product({ description });
    await expectTags("/products?etags=true&sort=-createdAt&perPage=8");
    await expectTags("/products?etags=true&cursor=&perPage=8");
  });

  test("accepts true and false, in lists only", async () => {
    for (const path of [
      "/products?etags=1",
      "/products?etags=",
      `/products/${shop.category.id}?etags=true`,
    ]) {
      expect(parameters(await shop.admin.get(path))).toEqual(["etags"]);
    }
    expect(parameters(await shop.admin.post("/products/_query", { etags: "true" }))).toEqual([
      "etags",
    ]);
  });
});

interface Tagged {
  readonly data: readonly Row[];
  readonly meta: { readonly etags?: readonly string[] };
}

async function order(): Promise<Row> {
  made += 1;
  const email = `customer${made}@example.com`;
  const customer = await created(shop.admin, "customers", { name: "Customer", email });
  const placedAt = "2026-01-01T12:00:00Z";
  return created(shop.admin, "orders", { number: made, customerId: customer.id, placedAt });
}
