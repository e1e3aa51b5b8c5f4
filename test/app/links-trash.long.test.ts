import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["shops.yaml", "trash: true\nfields: { name: { type: string } }\n"],
      [
        "products.yaml",
        `trash: true
changes: { history: 30 }
fields:
  name: { type: string }
  shopId: { type: belongsTo, resource: shops, required: true, onDelete: cascade }
  tagIds: { type: links, resource: tags, inverse: products }
  relatedIds: { type: links, resource: products, as: related, inverse: relatedBy }
  shelfIds: { type: links, resource: shelves, onDelete: refuse }
  peerIds: { type: links, resource: products, as: peers, onDelete: refuse }
  sizeIds: { type: links, resource: sizes }
`,
      ],
      [
        "tags.yaml",
        "trash: true\nfields: { name: { type: string }, shopId: { type: belongsTo, resource: shops, required: true, onDelete: cascade } }\n",
      ],
      ["shelves.yaml", "trash: true\nfields: { name: { type: string } }\n"],
      ["sizes.yaml", "fields: { name: { type: string } }\n"],
      [
        "menus.yaml",
        "changes: true\nfields: { tagIds: { type: links, resource: tags }, name: { type: string } }\n",
      ],
    ]),
  });
  admin = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

async function made(path: string, values: object = {}): Promise<string> {
  const { status, body } = await admin.post<{ id: string }>(path, values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

async function trashed(path: string): Promise<void> {
  expect(await admin.delete(path)).toMatchObject({ status: 204 });
}

async function restored(path: string): Promise<Record<string, unknown>> {
  const { status, body } = await admin.post<Record<string, unknown>>(`${path}/_restore`, undefined);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

async function list(path: string, field = "tagIds"): Promise<unknown> {
  const { status, body } = await admin.get<Record<string, unknown>>(path);
  expect({ status, body }).toMatchObject({ status: 200 });
  const [, resource, id] = path.split("/");
  const column = field.replace(/Ids$/, "_ids");
  const rows = await app.db.query<{ ids: string[] }>(
    `select coalesce(array_agg(target_id order by position, target_id), '{}')::text[] as ids
    from ${resource}_${column} where record_id = $1`,
    [id],
  );
  expect(rows[0]?.ids).toEqual(body[field]);
  return body[field];
}

interface World {
  readonly shop: string;
  readonly tags: readonly [string, string, string, string];
}

async function world(): Promise<World> {
  const shop = await made("/shops", { name: "shop" });
  const tags = [];
  for (const name of ["a", "b", "c", "d"]) tags.push(await made("/tags", { name, shopId: shop }));
  return { shop, tags: tags as never };
}

describe("a deleted record", () => {
  test("keeps its lists in the trash and after a restore", async () => {
    const { shop, tags } = await world();
    const [a, b, c] = tags;
    const shelf = await made("/shelves");
    const id = await made("/products", { shopId: shop, tagIds: [c, a, b], shelfIds: [shelf] });
    await trashed(`/products/${id}`);
    const kept = await admin.get(`/products/${id}?trash=only`);
    expect(kept.body).toMatchObject({ tagIds: [c, a, b], shelfIds: [shelf], relatedIds: [] });
    expect(await restored(`/products/${id}`)).toMatchObject({
      tagIds: [c, a, b],
      shelfIds: [shelf],
    });
    expect(await list(`/products/${id}`)).toEqual([c, a, b]);
    const history = await admin.get<{ data: { op: string }[] }>(`/products/${id}/_history`);
    expect(history.body.data.map(({ op }) => op)).toEqual(["restore", "trash", "create"]);
  });

  test("loses the entries that lead nowhere, in whatever kind of trash their target is", async () => {
    const { shop, tags } = await world();
    const [a, b, c, d] = tags;
    const size = await made("/sizes");
    const id = await made("/products", { shopId: shop, tagIds: [a, b, c, d], sizeIds: [size] });
    await trashed(`/products/${id}`);
    await trashed(`/tags/${b}`);
    await trashed(`/tags/${d}?trash=skip`);
    await trashed(`/sizes/${size}`);
    expect(await restored(`/products/${id}`)).toMatchObject({ tagIds: [a, c], sizeIds: [] });
    expect(await list(`/products/${id}`)).toEqual([a, c]);
    await restored(`/tags/${b}`);
    expect(await list(`/products/${id}`)).toEqual([a, c]);
  });

  test("no longer prevents the deletion of its targets", async () => {
    const { shop } = await world();
    const shelf = await made("/shelves");
    const id = await made("/products", { shopId: shop, shelfIds: [shelf] });
    expect(await admin.delete(`/shelves/${shelf}`)).toMatchObject({ status: 409 });
    await trashed(`/products/${id}`);
    await trashed(`/shelves/${shelf}`);
    expect(await restored(`/products/${id}`)).toMatchObject({ shelfIds: [] });
  });
});

describe("entries that lead to a deleted record", () => {
  test("return if one statement has deleted all records of a list that refuses that", async () => {
    const { shop } = await world();
    const one = await made("/products", { shopId: shop });
    const two = await made("/products", { shopId: shop, peerIds: [one] });
    await admin.patch(`/products/${one}`, { peerIds: [one, two] });
    await app.db.query("delete from products where id = any ($1)", [[one, two]]);
    expect(await restored(`/products/${two}`)).toMatchObject({ peerIds: [] });
    expect(await restored(`/products/${one}`)).toMatchObject({ peerIds: [one, two] });
    expect(await list(`/products/${two}`, "peerIds")).toEqual([one]);
    await trashed(`/shops/${shop}`);
    await restored(`/shops/${shop}`);
    expect(await list(`/products/${one}`, "peerIds")).toEqual([one, two]);
    expect(await list(`/products/${two}`, "peerIds")).toEqual([one]);
  });

  test("return to their positions", async () => {
    const { shop, tags } = await world();
    const [a, b, c, d] = tags;
    const one = await made("/products", { shopId: shop, tagIds: [a, b, c] });
    const two = await made("/products", { shopId: shop, tagIds: [b] });
    const menu = await made("/menus", { tagIds: [b, d] });
    await trashed(`/tags/${b}`);
    expect(await list(`/products/${one}`)).toEqual([a, c]);
    expect(await list(`/menus/${menu}`)).toEqual([d]);
    const before = await admin.get(`/menus/${menu}`);
    await restored(`/tags/${b}`);
    expect(await list(`/products/${one}`)).toEqual([a, b, c]);
    expect(await list(`/products/${two}`)).toEqual([b]);
    expect(await list(`/menus/${menu}`)).toEqual([b, d]);
    expect((await admin.get(`/menus/${menu}`)).headers.etag).not.toBe(before.headers.etag);
  });

  test("return in any order of restores", async () => {
    const { shop, tags } = await world();
    const [a, b, c, d] = tags;
    const id = await made("/products", { shopId: shop, tagIds: tags });
    for (const tag of [b, c, d]) await trashed(`/tags/${tag}`);
    expect(await list(`/products/${id}`)).toEqual([a]);
    await restored(`/tags/${d}`);
    expect(await list(`/products/${id}`)).toEqual([a, d]);
    await restored(`/tags/${b}`);
    await restored(`/tags/${c}`);
    expect(await list(`/products/${id}`)).toEqual([a, b, c, d]);
  });

  test("come before entries that took their positions", async () => {
    const { shop, tags } = await world();
    const [a, b, c, d] = tags;
    const id = await made("/products", { shopId: shop, tagIds: [a, b, c] });
    await trashed(`/tags/${b}`);
    await admin.patch(`/products/${id}`, { tagIds: { add: [d] } });
    await restored(`/tags/${b}`);
    expect(await list(`/products/${id}`)).toEqual([a, b, c, d]);
    await trashed(`/tags/${a}`);
    await admin.patch(`/products/${id}`, { tagIds: [] });
    await restored(`/tags/${a}`);
    expect(await list(`/products/${id}`)).toEqual([a]);
  });

  test("return to a record that is in the trash itself, in either order", async () => {
    const { shop, tags } = await world();
    const [a, b, c] = tags;
    for (const order of ["target first", "record first"]) {
      const id = await made("/products", { name: order, shopId: shop, tagIds: [a, b, c] });
      await trashed(`/tags/${b}`);
      await trashed(`/products/${id}`);
      const paths = [`/tags/${b}`, `/products/${id}`];
      for (const path of order === "target first" ? paths : paths.toReversed()) {
        await restored(path);
      }
      expect(await list(`/products/${id}`)).toEqual([a, b, c]);
    }
  });

  test("of a record that is deleted permanently are deleted with it", async () => {
    const { shop, tags } = await world();
    const [a, b] = tags;
    const id = await made("/products", { shopId: shop, tagIds: [a, b] });
    await trashed(`/tags/${a}`);
    await trashed(`/products/${id}?trash=skip`);
    await restored(`/tags/${a}`);
    expect(await admin.get(`/products/${id}`)).toMatchObject({ status: 404 });
    await trashed(`/tags/${b}?trash=skip`);
    expect(await admin.post(`/tags/${b}/_restore`, undefined)).toMatchObject({ status: 404 });
  });
});

test("records that were deleted together list each other again", async () => {
  const { shop, tags } = await world();
  const [a, b, c] = tags;
  const one = await made("/products", { name: "1", shopId: shop, tagIds: [c, a] });
  const two = await made("/products", { name: "2", shopId: shop, relatedIds: [one], tagIds: [b] });
  await admin.patch(`/products/${one}`, { relatedIds: [two, one] });
  const menu = await made("/menus", { tagIds: [b, a] });
  await trashed(`/shops/${shop}`);
  expect(await list(`/menus/${menu}`)).toEqual([]);
  await restored(`/shops/${shop}`);
  expect(await list(`/products/${one}`)).toEqual([c, a]);
  expect(await list(`/products/${one}`, "relatedIds")).toEqual([two, one]);
  expect(await list(`/products/${two}`, "relatedIds")).toEqual([one]);
  expect(await list(`/products/${two}`)).toEqual([b]);
  expect(await list(`/menus/${menu}`)).toEqual([b, a]);
});

test("one statement of SQL trashes records that list each other", async () => {
  const { shop } = await world();
  const one = await made("/products", { name: "1", shopId: shop });
  const two = await made("/products", { name: "2", shopId: shop, relatedIds: [one] });
  await admin.patch(`/products/${one}`, { relatedIds: [two] });
  await app.db.query("delete from products where id = any ($1)", [[one, two]]);
  await restored(`/products/${one}`);
  expect(await list(`/products/${one}`, "relatedIds")).toEqual([]);
  await restored(`/products/${two}`);
  expect(await list(`/products/${two}`, "relatedIds")).toEqual([one]);
  expect(await list(`/products/${one}`, "relatedIds")).toEqual([two]);
});

test("an entry that was removed before the deletion does not return", async () => {
  const { shop, tags } = await world();
  const [a, b] = tags;
  const id = await made("/products", { shopId: shop, tagIds: [a, b] });
  const { status } = await admin.post("/_service/batch", {
    operations: [
      { update: "products", id, values: { tagIds: { remove: [b] } } },
      { delete: "tags", id: b },
    ],
  });
  expect(status).toBe(200);
  await restored(`/tags/${b}`);
  expect(await list(`/products/${id}`)).toEqual([a]);
});

test("a thousand lists get their entry back by one restore", async () => {
  const { shop, tags } = await world();
  const [a, b] = tags;
  await app.db.query(
    `insert into products (id, shop_id, tag_ids)
    select service.uuid_v7(), $1, array[$2, $3]::uuid[] from generate_series(1, 1000)`,
    [shop, a, b],
  );
  await trashed(`/tags/${a}`);
  await restored(`/tags/${a}`);
  const { body } = await admin.list(`/products?filter[tagIds][all]=${a},${b}&perPage=1`);
  expect(body.meta.total).toBe(1000);
  expect(body.data[0]).toMatchObject({ tagIds: [a, b] });
});
