import { QueryClient, QueryObserver } from "@tanstack/query-core";
import { Router } from "express";
import { ts } from "ts-morph";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
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

test("records of TanStack Query's cache are changed with their tags", async () => {
  const url = `${app.url}/api`;
  const token = app.token;
  const api = createClient({ url, token });
  const { id: categoryId } = await api.categories.create({ name: "Drinks" });
  for (const name of ["Tea", "Coffee"]) await api.products.create({ name, price: 1, categoryId });
  const cache = new QueryClient();
  const changed = await api.products.list({ sort: ["name"], fields: ["price"] });
  await run("Caches", { createClient, url, token, QueryObserver, cache });
  expect(changed.data.map(({ price }) => price)).toEqual([1, 1]);
  const after = await api.products.list({ sort: ["name"], fields: ["price"] });
  expect(after.data.map(({ price }) => price)).toEqual([5, 5]);
});

test("own routes are called with a query and a body", async () => {
  await run("Your own routes", {
    api: createClient({ url: `${app.url}/api`, token: app.token }),
  });
  expect(sent).toEqual([{ to: "owner of 2026" }]);
});
