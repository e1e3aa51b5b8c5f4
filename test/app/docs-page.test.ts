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

const page = "/api/_service/docs";

test("in development the page and its files are served without a token", async () => {
  const answer = await fetch(developed.app.url + page, { headers: { accept: "text/html" } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await answer.text();
  const named = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(named).toHaveLength(3);
  for (const path of named) {
    const file = await fetch(new URL(path, developed.app.url + page));
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    expect((await file.text()).length).toBeGreaterThan(1_000);
  }
});

test("with a trailing slash the page names the same files", async () => {
  const address = `${developed.app.url}${page}/`;
  const html = await (await fetch(address)).text();
  const named = [...html.matchAll(/(?:src|href)="([\w.-]+\.(?:css|js))"/g)];
  expect(named).toHaveLength(3);
  for (const [, path = ""] of named) {
    expect((await fetch(new URL(path, address))).status).toBe(200);
  }
});

test("the page's policy allows neither inline scripts or styles nor other servers", async () => {
  const answer = await fetch(developed.app.url + page);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(await answer.text()).not.toMatch(/<script>|<style|style=|https?:/);
});

test.each(["LICENSE", "..%2f..%2fapp.js", "swagger-ui.css%00", "constructor"])(
  "%s is not a file of the page",
  async (name) => {
    const answer = await fetch(`${developed.app.url}${page}/${name}`);
    expect([400, 404]).toContain(answer.status);
  },
);

test("outside of development there is no page, even with a token", async () => {
  expect((await shop.anonymous.get("/_service/docs")).status).toBe(404);
  expect((await shop.admin.get("/_service/docs")).status).toBe(404);
  expect((await shop.anonymous.get("/_service/docs/swagger-ui.css")).status).toBe(404);
});
