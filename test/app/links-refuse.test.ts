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
        "products.yaml",
        `fields:
  shopId: { type: belongsTo, resource: shops, required: true, onDelete: cascade }
  peerIds: { type: links, resource: products, onDelete: refuse }
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

test("one that another lists cannot, with the count of the others", async () => {
  const shopId = await made("/shops");
  const id = await made("/products", { shopId });
  const other = await made("/products", { shopId, peerIds: [id] });
  await admin.patch(`/products/${id}`, { peerIds: [id, other] });
  expect(await admin.delete(`/products/${id}`)).toMatchObject({
    status: 409,
    body: { error: "1 product still belongs to this product" },
  });
});

test("one that a record of another shop lists keeps its shop from being deleted", async () => {
  const [shop, other] = [await made("/shops"), await made("/shops")];
  const id = await made("/products", { shopId: shop });
  await made("/products", { shopId: other, peerIds: [id] });
  expect(await admin.delete(`/shops/${shop}`)).toMatchObject({ status: 409 });
  await expect(app.db.query("delete from shops where id = $1", [shop])).rejects.toThrow();
});
