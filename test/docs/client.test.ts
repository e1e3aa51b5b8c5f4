import { join } from "node:path";
import { MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
import { Router } from "express";
import { ts } from "ts-morph";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createClient,
  type Page,
  type Product,
  type Tagged,
} from "../../fixtures/apps/shop/generated/client.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { block } from "./pages.js";

const sent: unknown[] = [];
const routes = Router();
routes.get("/reports/sales", ({ query }, response) =>
  response.json({ owner: `owner of ${query.year}` }),
);
routes.post("/reports/sales/send", (request, response) => {
  request.on("data", (chunk: Buffer) => sent.push(JSON.parse(chunk.toString())));
  request.on("end", () => response.status(202).end());
});

/** The sources of a front end; a path, since `tsc` checks them by their own settings. */
const web = join(import.meta.dirname, "../../fixtures/web/src");

let app: RunningApp;
beforeAll(async () => {
  app = await startApp("apps/shop", { routes });
});
afterAll(() => app.close());

/** Runs a block of the page with these values in reach. */
async function run(heading: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(block("docs/browser", heading), { compilerOptions });
  const names = Object.keys(values);
  const made = new Function(...names, `return (async () => {${outputText}})()`);
  await made(...Object.values(values));
}

test("records in TanStack Query's cache are changed with their tags", async () => {
  const url = `${app.url}/api`;
  const token = app.token;
  const api = createClient({ url, token });
  const { id: categoryId } = await api.categories.create({ name: "Drinks" });
  for (const name of ["Tea", "Coffee"]) await api.products.create({ name, price: 1, categoryId });
  const cache = new QueryClient();
  const changed = await api.products.list({ sort: ["name"], fields: ["price"] });
  await run("Caching", { createClient, url, token, QueryObserver, cache });
  expect(changed.data.map(({ price }) => price)).toEqual([1, 1]);
  const after = await api.products.list({ sort: ["name"], fields: ["price"] });
  expect(after.data.map(({ price }) => price)).toEqual([5, 5]);
});

test("the component of the recipe shows the pages of a list, and changes records that have not changed since", async () => {
  const url = `${app.url}/api`;
  const { token } = app;
  const api = createClient({ url, token, tags: true });
  const other = createClient({ url, token });
  const { id: categoryId } = await api.categories.create({ name: "Cups" });
  await api.batch((batch) => {
    for (let at = 0; at < 21; at += 1) {
      batch.products.create({ name: `A cup ${at}`, price: 1, categoryId });
    }
  });
  const { products, renaming, Products } = await import(join(web, "products.tsx"));
  const [{ createElement }, { renderToString }, { QueryClientProvider }] = await Promise.all(
    // Not by literals: React's types add some of a browser to those of every test.
    ["react", "react-dom/server", "@tanstack/react-query"].map((name) => import(name)),
  );
  const cache = new QueryClient();
  const shown = () =>
    renderToString(
      createElement(QueryClientProvider, { client: cache }, createElement(Products, { api })),
    );
  expect(shown()).toBe("");
  const { pages } = await cache.fetchInfiniteQuery(products(api));
  expect(shown()).toContain('value="A cup 0"');
  expect(shown()).toContain("More</button>");
  const [cup] = (pages as Page<Product & Tagged>[])[0]?.data ?? [];
  const rename = new MutationObserver(cache, renaming(api, cache, cup));
  expect(await rename.mutate("Bowl" as never)).toMatchObject({ id: cup?.id, name: "Bowl" });
  await other.products.update(cup?.id ?? "", { name: "Pot" });
  await expect(rename.mutate("Vase" as never)).rejects.toMatchObject({ status: 412 });
  cache.clear();
});

test("app routes are called with a query and a body", async () => {
  await run("App routes", {
    api: createClient({ url: `${app.url}/api`, token: app.token }),
  });
  expect(sent).toEqual([{ to: "owner of 2026" }]);
});
