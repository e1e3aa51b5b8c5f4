import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { created } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { startNginx } from "../support/deploy/proxies.js";
import { hasTool } from "../support/deploy/tools.js";
import { client } from "../support/http/client.js";
import { block, page as pageOf } from "./pages.js";

const page = "docs/public";

let app: WrittenApp;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["events.yaml", block(page, "Public data")],
      ["messages.yaml", block(page, "Forms")],
      ["orders.yaml", block(page, "Guests")],
    ]),
    server: block(page, "App code").replace("await app.listen();", "export { app };"),
    packages: ["express"],
  });
});
afterAll(() => app?.close());

function ask(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`${app.url}/api${path}`, init);
}

function post(path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

test("the examples of the page make an app that works without a token", async () => {
  expect(await (await ask("/events")).json()).toMatchObject({ data: [], meta: { total: 0 } });
  const message = { email: "a@example.com", text: "Hello" };
  expect((await post("/messages", message)).status).toBe(201);
  expect((await post("/messages", { ...message, text: "x".repeat(5000) })).status).toBe(403);
  expect((await post("/orders", { email: "guest@example.com" })).status).toBe(201);
});

test("an app route with an optional token has a caller or none, and refuses a wrong token", async () => {
  expect(await (await ask("/greeting")).json()).toEqual({ signedIn: false });
  const { client } = await app.caller(null);
  expect((await client.get("/greeting")).body).toEqual({ signedIn: true });
  const wrong = await ask("/greeting", { headers: { authorization: "Bearer none" } });
  expect(wrong.status).toBe(401);
});

test("the form sends a captcha's response with the message", async () => {
  const url = "https://api.example.com/api";
  const form = block(page, "Forms", 3);
  expect(form).toContain(url);
  const file = join(app.root, "form.ts");
  writeFileSync(file, form.replace(url, `${app.url}/api`));
  const { send } = (await import(pathToFileURL(file).href)) as {
    send(email: string, text: string, captcha: string): Promise<void>;
  };
  await send("form@example.com", "Hello", "the response");
  const { client } = await app.caller("admin");
  const { body } = await client.list("/messages?filter[email]=form@example.com");
  expect(body.data).toMatchObject([{ text: "Hello", answered: false }]);
});

test("an account takes over the guest orders of its verified address, and no others", async () => {
  const shop = await startWrittenApp({
    descriptors: new Map([["orders.yaml", block(page, "Guests")]]),
    server: block(page, "Guests", 2).replace("await app.listen();", "export { app };"),
    packages: ["express"],
  });
  try {
    const [ada, bob] = [await shop.caller(null), await shop.caller(null)];
    const guest = client(shop.url, null);
    const emailOf = (who: typeof ada) => `caller-${who === ada ? 1 : 2}@example.com`;
    const placed = async (email: string, who = guest) =>
      (await created(who, "orders", { email })).id;
    const ofAda = await placed(emailOf(ada).toUpperCase());
    const another = await placed("other@example.com");
    const ofBob = await placed(emailOf(ada), bob.client);
    const takeOver = async (who: typeof ada) => {
      const { status, body } = await who.client.post<{ orders: string[] }>("/orders/take-over", {});
      expect(status).toBe(200);
      return body.orders;
    };
    const setVerified = (at: string) =>
      shop.db.query(`update service.users set email_verified_at = ${at} where id = $1`, [ada.id]);

    expect((await guest.post("/orders/take-over", {})).status).toBe(401);
    expect(await takeOver(bob)).toEqual([]);
    await setVerified("null");
    expect(await takeOver(ada)).toEqual([]);
    await setVerified("now()");
    expect(await takeOver(ada)).toEqual([ofAda]);
    expect(await takeOver(ada)).toEqual([]);
    const listed = await ada.client.list("/orders");
    expect(listed.body.meta.total).toBe(1);
    expect(listed.body.data).toMatchObject([{ id: ofAda, customerId: ada.id }]);
    expect((await bob.client.get(`/orders/${ofBob}`)).body).toMatchObject({ customerId: bob.id });
    expect((await ada.client.get(`/orders/${another}`)).status).toBe(404);
  } finally {
    await shop.close();
  }
});

test("more than 20 creates in a minute from one address are 429", async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 25; at++) statuses.push((await post("/messages", {})).status);
  expect(new Set(statuses)).toEqual(new Set([422, 429]));
  const last = await post("/messages", {});
  expect(last.headers.get("ratelimit-policy")).toBe('"public_create_per_client";q=20;w=60');
});

test.skipIf(!hasTool("nginx", "-v"))(
  "a cache with the line for nginx answers only callers without a token, though it ignores Vary",
  async () => {
    const [line = ""] = /proxy_cache_bypass[^`]+/.exec(pageOf(page).text) ?? [];
    const site = `proxy_cache_path cache keys_zone=api:1m;
server {
  listen 80;
  location / {
    proxy_pass http://127.0.0.1:3000;
    proxy_cache api;
    proxy_ignore_headers Vary;
    ${line}
    add_header X-Cache $upstream_cache_status always;
  }
}
`;
    const { client, id } = await app.caller("admin");
    const draft = { title: "Draft", organiserId: id };
    expect((await client.post("/events", draft)).status).toBe(201);
    const proxy = await startNginx(site, [Number(new URL(app.url).port)]);
    try {
      const seen = async (token?: string) => {
        const headers = token === undefined ? {} : { authorization: token };
        const answer = await fetch(`http://127.0.0.1:${proxy.port}/api/events`, { headers });
        const { meta } = (await answer.json()) as { meta?: { total: number } };
        return [answer.status, answer.headers.get("x-cache"), meta?.total];
      };
      const token = `Bearer ${await newSession(app.db, id)}`;
      expect(await seen(token)).toEqual([200, "BYPASS", 1]);
      expect(await seen()).toEqual([200, "MISS", 0]);
      expect(await seen()).toEqual([200, "HIT", 0]);
      expect(await seen(token)).toEqual([200, "BYPASS", 1]);
      expect(await seen("Bearer none")).toEqual([401, "BYPASS", undefined]);
      expect(await seen()).toEqual([200, "HIT", 0]);
    } finally {
      await proxy.stop();
    }
  },
);
