import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type EventStream, openEvents } from "../support/http/event-stream.js";
import type { RuledCaller } from "../support/rights/request.js";

const descriptors = new Map([
  [
    "posts.yaml",
    `
changes: true
access: { read: { who: public, where: { status: live } }, write: [admin] }
fields:
  title: { type: string, required: true, access: { read: signed-in } }
  status: { type: enum, values: [draft, live], default: draft, required: true }
`,
  ],
  [
    "offers.yaml",
    `
changes: true
access: { read: [{ who: public, where: { shop: { isOpen: true } } }, admin], write: [admin] }
fields:
  name: { type: string }
  shopId: { type: belongsTo, resource: shops }
`,
  ],
  [
    "shops.yaml",
    "access: { write: [admin] }\nfields: { name: { type: string }, isOpen: { type: boolean } }\n",
  ],
  ["notes.yaml", "changes: true\nfields: { text: { type: string } }\n"],
  ["quiet.yaml", "access: { read: public }\nfields: { text: { type: string } }\n"],
]);

let app: WrittenApp;
let admin: RuledCaller["client"];
let token: string;
const open: EventStream[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    settings:
      "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\nchanges: { streams: 6, streams_per_client: 2 }\n",
  });
  const { id, client } = await app.caller("admin");
  admin = client;
  token = await newSession(app.db, id);
});
afterEach(async () => {
  for (const stream of open.splice(0)) {
    stream.close();
    await stream.ended;
  }
});
afterAll(() => app?.close());

async function watch(
  what: unknown,
  headers: Record<string, string> = {},
  as: string | null = null,
): Promise<EventStream> {
  const path = `/_service/changes?watch=${encodeURIComponent(JSON.stringify(what))}`;
  const stream = await openEvents(app.url, as, path, headers);
  open.push(stream);
  return stream;
}

async function statusOf(...asked: Parameters<typeof watch>): Promise<number> {
  return (await watch(...asked)).status;
}

test("a caller without a token is sent what becomes public, and what no longer is", async () => {
  const stream = await watch({ posts: true });
  expect((await stream.next()).event).toBe("ready");
  const { body } = await admin.post<{ id: string }>("/posts", { title: "Draft" });
  await admin.patch(`/posts/${body.id}`, { status: "live" });
  const shown = await stream.next();
  expect(shown.data).toMatchObject({ op: "create", id: body.id, record: { status: "live" } });
  expect(shown.data.record).not.toHaveProperty("title");
  await admin.patch(`/posts/${body.id}`, { status: "draft" });
  expect((await stream.next()).data).toMatchObject({ op: "delete", id: body.id, record: null });
});

test("a stream without a token is 401 unless all that it watches is public", async () => {
  for (const what of [{ notes: true }, { posts: true, notes: true }, { unknown: true }]) {
    expect(await statusOf(what)).toBe(401);
  }
  expect(await statusOf({ posts: true }, { authorization: "Bearer none" })).toBe(401);
  expect(await statusOf([])).toBe(400);
  expect(await statusOf({ posts: { fields: ["title"] } })).toBe(400);
  expect(await statusOf({ posts: true, notes: true }, {}, token)).toBe(200);
});

test("the streams without a token are limited per address", async () => {
  expect(await statusOf({ posts: true })).toBe(200);
  expect(await statusOf({ posts: true })).toBe(200);
  const refused = await watch({ posts: true });
  expect(refused.status).toBe(429);
  expect(refused.headers["retry-after"]).toBe("5");
  expect(await statusOf({ posts: true }, {}, token)).toBe(200);
});

test("visitors behind an unconfigured proxy are not counted by address, and leave half to accounts", async () => {
  const proxied = { "x-forwarded-for": "203.0.113.7" };
  for (const status of [200, 200, 200, 503]) {
    expect(await statusOf({ posts: true }, proxied)).toBe(status);
  }
  for (const status of [200, 200, 200, 503]) {
    expect(await statusOf({ posts: true }, {}, token)).toBe(status);
  }
});

test("openapi.json describes streams as needing no token", () => {
  const { paths } = JSON.parse(readFileSync(join(app.root, "generated/openapi.json"), "utf8"));
  const { security } = paths["/_service/changes"].get;
  expect(security).toEqual([{}, { bearerAuth: [] }]);
});

test("a change on the path of a condition ends the streams that it affects", async () => {
  const { body: shop } = await admin.post<{ id: string }>("/shops", { name: "Shop", isOpen: true });
  const values = { name: "Tea", shopId: shop.id };
  const { body: offer } = await admin.post<{ id: string }>("/offers", values);
  const stream = await watch({ offers: true });
  const all = await watch({ offers: true }, {}, token);
  for (const one of [stream, all]) expect((await one.next()).event).toBe("ready");
  await admin.patch(`/shops/${shop.id}`, { name: "The shop" });
  await admin.patch(`/offers/${offer.id}`, { name: "Green tea" });
  expect((await stream.next()).data).toMatchObject({ op: "update", id: offer.id });
  await admin.patch(`/shops/${shop.id}`, { isOpen: false });
  expect(await stream.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
  await admin.patch(`/offers/${offer.id}`, { name: "Tea" });
  for (const name of ["Green tea", "Tea"]) {
    expect((await all.next()).data).toMatchObject({ op: "update", record: { name } });
  }
});
