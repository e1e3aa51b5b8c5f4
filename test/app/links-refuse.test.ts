import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["shops.yaml", "fields: { name: { type: string } }\n"],
      [
        "benches.yaml",
        "fields: { shopId: { type: belongsTo, resource: shops, required: true, onDelete: cascade } }\n",
      ],
      [
        "products.yaml",
        `fields:
  shopId: { type: belongsTo, resource: shops, required: true, onDelete: cascade }
  peerIds: { type: links, resource: products, onDelete: refuse }
  benchIds: { type: links, resource: benches, onDelete: refuse }
`,
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

test("a record that only lists itself can be deleted", async () => {
  const shopId = await made("/shops");
  const id = await made("/products", { shopId });
  await admin.patch(`/products/${id}`, { peerIds: [id] });
  expect(await admin.delete(`/products/${id}`)).toMatchObject({ status: 204 });
});

test("one in another record's list cannot, and the count of such records is given", async () => {
  const shopId = await made("/shops");
  const id = await made("/products", { shopId });
  const other = await made("/products", { shopId, peerIds: [id] });
  await admin.patch(`/products/${id}`, { peerIds: [id, other] });
  expect(await admin.delete(`/products/${id}`)).toMatchObject({
    status: 409,
    body: { error: "1 product still belongs to this product" },
  });
});

test("one listed by a record of another shop prevents its shop's deletion", async () => {
  const [shop, other] = [await made("/shops"), await made("/shops")];
  const id = await made("/products", { shopId: shop });
  await made("/products", { shopId: other, peerIds: [id] });
  expect(await admin.delete(`/shops/${shop}`)).toMatchObject({ status: 409 });
  await expect(app.db.query("delete from shops where id = $1", [shop])).rejects.toThrow();
});

/** Three products of a shop: rows that list earlier ones and later ones. */
async function ring(shopId: string): Promise<readonly string[]> {
  const ids = [await made("/products", { shopId }), await made("/products", { shopId })];
  ids.push(await made("/products", { shopId, peerIds: [ids[0]] }));
  await admin.patch(`/products/${ids[0]}`, { peerIds: [ids[1]] });
  await admin.patch(`/products/${ids[1]}`, { peerIds: [ids[2], ids[1]] });
  return ids;
}

test("records that list each other are deleted by one statement, in any order of their rows", async () => {
  const shop = await made("/shops");
  const ids = await ring(shop);
  const [first = "", ...others] = ids;
  await expect(app.db.query("delete from products where id = $1", [first])).rejects.toMatchObject({
    constraint: "products_peer_ids__target_id__link",
  });
  await expect(
    app.db.query("delete from products where id = any ($1)", [others]),
  ).rejects.toMatchObject({ code: "23503" });
  await app.db.query("delete from products where id = any ($1)", [ids]);
  await ring(shop);
  expect(await admin.delete(`/shops/${shop}`)).toMatchObject({ status: 204 });
  expect(await app.db.query("select from products where shop_id = $1", [shop])).toEqual([]);
});

test("a shop is deleted with its benches and the products that list them", async () => {
  const shopId = await made("/shops");
  const bench = await made("/benches", { shopId });
  await made("/products", { shopId, benchIds: [bench] });
  expect(await admin.delete(`/benches/${bench}`)).toMatchObject({ status: 409 });
  expect(await admin.delete(`/shops/${shopId}`)).toMatchObject({ status: 204 });
});
