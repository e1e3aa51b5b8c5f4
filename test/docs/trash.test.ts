import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { block } from "./pages.js";

let app: WrittenApp;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([["products.yaml", block("docs/trash", "Trash")]]),
  });
});
afterAll(() => app?.close());

test("the example of the page keeps deleted records, which its callers restore", async () => {
  const [editor, admin] = [await app.caller("editor"), await app.caller("admin")];
  const { id } = (await editor.client.post("/products", { name: "Tea" })).body;
  const path = `/products/${id}`;
  expect((await editor.client.delete(path)).status).toBe(204);
  const from = "2026-01-01T00:00:00Z";
  const query = `trash=only&filter[deletedAt][gte]=${from}&sort=name`;
  expect((await editor.client.get(`/products?${query}`)).body).toMatchObject({ data: [{ id }] });
  expect((await editor.client.post(`${path}/_restore`, undefined)).status).toBe(200);
  expect((await editor.client.delete(`${path}?trash=skip`)).status).toBe(403);
  expect((await admin.client.delete(`${path}?trash=skip`)).status).toBe(204);
});
