import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/apps/shop.js";
import { withVariables } from "../support/processes/environment.js";

let shop: Shop;
let developed: Shop;
beforeAll(async () => {
  shop = await withVariables({ NODE_ENV: "test" }, openShop);
  developed = await withVariables({ NODE_ENV: "development" }, openShop);
});
afterAll(async () => {
  await shop.app.close();
  await developed.app.close();
});

const generated = resolve(import.meta.dirname, "../../fixtures/apps/shop/generated/openapi.json");

test("the document is served to signed-in callers, with the address of the request", async () => {
  const path = "/_service/openapi.json";
  expect((await shop.anonymous.get(path)).status).toBe(401);
  const reply = await shop.member.get<object>(path);
  expect(reply.status).toBe(200);
  const servers = [{ url: `${shop.app.url}/api` }];
  expect(reply.body).toEqual({ ...JSON.parse(readFileSync(generated, "utf8")), servers });
});

test("an odd Host appears in the address unchanged, and nowhere else", async () => {
  const host = "$&example.com";
  const sent = { headers: { host } };
  const reply = await shop.member.send<{ servers: unknown }>("GET", "/_service/openapi.json", sent);
  expect(reply.body.servers).toEqual([{ url: `http://${host}/api` }]);
});

test("in development it needs no token", async () => {
  expect((await developed.anonymous.get("/_service/openapi.json")).status).toBe(200);
});
