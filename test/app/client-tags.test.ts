import { QueryClient, QueryObserver, replaceEqualDeep } from "@tanstack/query-core";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  type Client,
  createClient,
  type Product,
  type Tagged,
  tagOf,
} from "../../fixtures/apps/shop/generated/client.js";
import { openShop, type Shop } from "../support/apps/shop.js";

let shop: Shop;
let api: Client<Tagged>;
let plain: Client;
beforeAll(async () => {
  shop = await openShop();
  const options = { url: `${shop.app.url}/api`, token: shop.app.token };
  api = createClient({ ...options, tags: true });
  plain = createClient(options);
});
afterAll(() => shop.app.close());

function newProduct(name: string) {
  return api.products.create({ name, price: 4, categoryId: shop.category.id });
}

async function listed(id: string) {
  const [record] = (await api.products.list({ where: { id } })).data;
  if (record === undefined) throw new Error("it is not listed");
  return record;
}

describe("with tags: true", () => {
  test("each way to get a record gives its tag as $tag, which JSON and copies keep", async () => {
    const created = await newProduct("Tagged tea");
    const { id } = created;
    const [inBatch] = await api.batch((batch) => batch.products.update(id, {}));
    const pages = api.products.all({ where: { id } });
    const ways = {
      created,
      read: await api.products.get(id),
      changed: await api.products.update(id, {}),
      listed: await listed(id),
      queried: (await api.products.query({ where: { id } })).data[0],
      listedInPart: (await api.products.list({ where: { id }, fields: ["name"] })).data[0],
      byCursor: (await api.products.list({ where: { id }, cursor: "" })).data[0],
      iterated: (await pages.next()).value,
      inBatch,
    };
    for (const [way, record] of Object.entries(ways)) {
      const copy = JSON.parse(JSON.stringify(record));
      expect(copy.$tag, way).toMatch(/^"[^"]+"$/);
      expect(tagOf(copy), way).toBe(copy.$tag);
      await api.products.update(id, {}, { ifMatch: copy });
    }
  });

  test("a copy of a record that another client changed is refused, and a copy of the response is not", async () => {
    const tea = { ...(await newProduct("Copied tea")) };
    const changed = { ...(await api.products.update(tea.id, { price: 5 }, { ifMatch: tea })) };
    expect(changed.$tag).not.toBe(tea.$tag);
    const stale = api.products.update(tea.id, { price: 6 }, { ifMatch: tea });
    await expect(stale).rejects.toMatchObject({ status: 412 });
    await api.batch((batch) => batch.products.update(tea.id, { price: 6 }, { ifMatch: changed }));
    const old = api.batch((batch) => batch.products.delete(tea.id, { ifMatch: changed }));
    await expect(old).rejects.toMatchObject({ status: 412 });
    await api.products.delete(tea.id, { ifMatch: { ...(await api.products.get(tea.id)) } });
  });

  test("writes leave $tag out, and do not change their argument", async () => {
    const tea = await newProduct("Whole tea");
    const changed = await api.products.update(tea.id, { ...tea, price: 5 });
    expect(changed.price).toBe(5);
    expect((await api.products.replace(tea.id, changed)).price).toBe(5);
    const again = { ...tea, name: "Whole tea again" };
    const made = await api.products.create(again);
    const upserted = { ...again, price: 7 };
    const [first, second] = await api.batch((batch) => {
      batch.products.update(made.id, { ...again, price: 6 });
      batch.products.upsert("name", upserted);
    });
    expect([first?.price, second?.price]).toEqual([6, 7]);
    expect(upserted.$tag).toBe(tea.$tag);
  });

  test("only records get a $tag", async () => {
    const whole = await newProduct("Untagged tea");
    const include = { category: true } as const;
    const [included] = (await api.products.list({ where: { id: whole.id }, include })).data;
    expect(included).toHaveProperty("$tag");
    const answers = [
      await api.products.stats(),
      (await api.products.aggregate({ by: ["status"] })).data[0],
      await api.products.list(),
      await api.service.resources(),
      (await api.service.accounts()).data[0],
      await api.auth.me(),
      // The server has no tag of a record in part.
      await api.products.get(whole.id, { fields: ["name"] }),
      included?.category,
    ];
    for (const answer of answers) expect(answer).not.toHaveProperty("$tag");
  });
});

describe("TanStack Query", () => {
  test("ifMatch accepts a record merged by structuralSharing, with the latest tag", async () => {
    const { id } = await newProduct("Shared tea");
    const first = await api.products.get(id);
    await api.products.update(id, { price: 5 });
    const merged = replaceEqualDeep(first, await api.products.get(id));
    expect(merged).not.toBe(first);
    await api.products.update(id, { price: 6 }, { ifMatch: merged });
    const stale = api.products.update(id, { price: 7 }, { ifMatch: merged });
    await expect(stale).rejects.toMatchObject({ status: 412 });
  });

  // What is shown is the same, but not what is stored: without a tag in it, the cache keeps the former object.
  test("a partial record gets its new tag even if all its fields stayed the same", async () => {
    const { id } = await newProduct("Partly shared tea");
    const inPart = async () => (await api.products.list({ where: { id }, fields: ["name"] })).data;
    const first = await inPart();
    await api.products.update(id, { price: 5 });
    const merged = replaceEqualDeep(first, await inPart());
    await api.products.update(id, { price: 6 }, { ifMatch: merged[0] ?? "" });
  });

  test("refetched pages in a query client's cache hold records with their tags", async () => {
    const { id } = await newProduct("Cached tea");
    await newProduct("Cached cup");
    const cache = new QueryClient();
    const observer = new QueryObserver(cache, {
      queryKey: ["products"],
      queryFn: () => api.products.list({ where: { name: { starts: "Cached" } }, sort: ["name"] }),
    });
    const before = (await observer.refetch()).data?.data ?? [];
    await api.products.update(id, { price: 5 });
    const after = (await observer.refetch()).data?.data ?? [];
    expect(after).toHaveLength(2);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    for (const record of after) {
      await api.products.update(record.id, { stock: 3 }, { ifMatch: record });
    }
    cache.clear();
  });
});

describe("without tags", () => {
  test("records have no $tag, and tagOf recognises them but not their copies", async () => {
    const tea = await plain.products.create({
      name: "Plain tea",
      price: 1,
      categoryId: shop.category.id,
    });
    expect(tea).not.toHaveProperty("$tag");
    expect(tagOf(tea)).toMatch(/^"[^"]+"$/);
    expect(tagOf({ ...tea })).toBeNull();
    const copied = plain.products.update(tea.id, {}, { ifMatch: { ...tea } });
    await expect(copied).rejects.toThrow("a copy only with createClient({ tags: true })");
  });

  test("a copy made by a client with tags is accepted", async () => {
    const tea = { ...(await newProduct("Handed over")) };
    expect(await plain.products.update(tea.id, { price: 9 }, { ifMatch: tea })).toMatchObject({
      price: 9,
    });
  });
});

test("the types have $tag only with tags: true, and clients with tags are clients", () => {
  expectTypeOf(api.products.update).returns.resolves.toEqualTypeOf<Product & Tagged>();
  expectTypeOf(plain.products.update).returns.resolves.toEqualTypeOf<Product>();
  expectTypeOf(api).toExtend<Client>();
  // @ts-expect-error: without tags there are none
  expect(async () => (await plain.products.get("1")).$tag).toBeTypeOf("function");
  // @ts-expect-error: nor has a record in part
  const inPart = async () => (await api.products.get("1", { fields: ["name"] })).$tag;
  expect(inPart).toBeTypeOf("function");
  expectTypeOf(async () => (await api.products.get("1")).$tag).returns.resolves.toBeString();
});
