import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { block } from "./pages.js";

let app: WrittenApp;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["products.yaml", block("docs/search", "Search")],
      ["categories.yaml", "fields: { name: { type: string } }\n"],
    ]),
  });
});
afterAll(() => app?.close());

test("the example of the page finds words in any form", async () => {
  const { client } = await app.caller(null);
  const category = (await client.post("/categories", { name: "Cafés" })).body.id;
  const { id } = (await client.post("/products", { name: "Universities", categoryId: category }))
    .body;
  for (const search of ["university", "cafe", "universi", "cafes%20or%20tea"]) {
    const found = await client.get(`/products?search=${search}`);
    expect(found.body, search).toMatchObject({ data: [{ id }], meta: { total: 1 } });
  }
});

test("the response of the page has highlights", async () => {
  const { client } = await app.caller(null);
  const { id } = (await client.post<{ id: string }>("/products", { name: "Green tea" })).body;
  const shown = block("docs/search", "Highlights").replaceAll(/019c[-0-9a-f]{32}/g, id);
  const found = await client.get("/products?search=teas&highlight=name,description&fields=name");
  expect(found.body).toEqual(JSON.parse(shown));
});
