import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  type Client,
  createClient,
  type Product,
} from "../../fixtures/apps/market/generated/client.js";
import { live, liveList } from "../../fixtures/apps/market/generated/live.js";
import { follow } from "../../fixtures/web/src/live/follow.js";
import { block } from "../docs/pages.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { clientModules } from "../support/apps/client-code.js";
import { newName } from "../support/apps/shop.js";
import { openTcpProxy, type TcpProxy } from "../support/http/tcp-proxy.js";

let app: RunningApp;
/** Between the readers and the server. */
let proxy: TcpProxy;
let api: Client;
let reader: Client;
/** The paths that readers have asked for. */
let asked: string[] = [];
const ending: (() => void)[] = [];

beforeAll(async () => {
  app = await startApp("apps/market");
  proxy = await openTcpProxy(app.url);
  api = createClient({ url: `${app.url}/api`, token: app.token });
  reader = createClient({ url: `${proxy.url}api`, token: app.token, fetch: noted });
});
afterEach(() => {
  for (const end of ending.splice(0)) end();
  proxy.restore();
});
afterAll(async () => {
  await proxy.close();
  await app.close();
});

function noted(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  asked.push(String(url).replace(/^.*\/api/, ""));
  return fetch(url, init);
}

/** The items of an iterable, one after the other as a test asks for them. */
function reading<Item>(stream: AsyncGenerator<Item, void>) {
  ending.push(() => void stream.return());
  return {
    stream,
    next: async (): Promise<Item> => {
      const { value } = await stream.next();
      if (value === undefined) throw new Error("The stream has ended");
      return value;
    },
  };
}

/** A stream that has begun. */
async function open(options: { after?: string; signal?: AbortSignal } = {}) {
  let position = "";
  const onPosition = (at: string) => {
    position = at;
  };
  const changes = reading(live(reader, { products: true }, { ...options, onPosition }));
  const first = changes.next();
  first.catch(() => {});
  await expect.poll(() => position).not.toBe("");
  let isFirst = true;
  return {
    stream: changes.stream,
    position: () => position,
    next: () => {
      if (!isFirst) return changes.next();
      isFirst = false;
      return first;
    },
  };
}

const product = (values: object) => api.products.create({ name: "Tea", price: 1, ...values });

test("changes are those of the stream", async () => {
  const changes = await open();
  const { id } = await product({ name: "Tea" });
  expect(await changes.next()).toEqual({
    resource: "products",
    op: "create",
    id,
    record: await api.products.get(id),
    changed: ["name", "price", "status"],
  });
  await api.products.update(id, { price: 2 });
  expect(await changes.next()).toMatchObject({ op: "update", changed: ["price"] });
  await api.products.delete(id);
  expect(await changes.next()).toEqual({
    resource: "products",
    op: "delete",
    id,
    record: null,
    changed: null,
  });
});

test("where, fields and the client's names of resources are accepted", async () => {
  const positions: string[] = [];
  const watch = {
    products: { where: { status: "draft" }, fields: ["name"] },
    stockCounts: true,
  } as const;
  const changes = reading(live(reader, watch, { onPosition: (at) => positions.push(at) }));
  const first = changes.next();
  await expect.poll(() => positions.length).toBe(1);
  const { id: productId } = await product({ name: "Live" });
  await product({ name: "Draft", status: "draft" });
  expect(await first).toMatchObject({ record: { id: expect.any(String), name: "Draft" } });
  await api.stockCounts.create({ productId, count: 3 });
  const counted = await changes.next();
  expect(counted).toMatchObject({ resource: "stock-counts", record: { count: 3 } });
});

test("the loop of the documentation prints its output; its component is that of the fixture", async () => {
  const source = (name: string) =>
    readFileSync(resolve(import.meta.dirname, "../../fixtures/web/src/live", name), "utf8");
  // `live-browser.long.test.ts` tries it in Chromium.
  expect(block("docs/changes", "With React")).toBe(source("products.tsx"));
  expect(block("docs/changes", "The client")).toBe(source("follow.ts"));
  const stopping = new AbortController();
  asked = [];
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    const followed = follow(reader, stopping.signal);
    await expect.poll(() => asked).toHaveLength(1);
    await expect
      .poll(async () => {
        await product({ name: "Samovar", price: 120 });
        return said.mock.calls.at(-1)?.slice(0, 2);
      })
      .toEqual(["products", "create"]);
    expect(said.mock.calls.at(-1)?.[3]).toMatchObject({ name: "Samovar", price: 120 });
    stopping.abort();
    await followed;
  } finally {
    said.mockRestore();
  }
});

test("after an interruption the stream resumes at its position", async () => {
  const changes = await open();
  const names = Array.from({ length: 30 }, (_, at) => `Product ${at}`);
  const written = (async () => {
    for (const [at, name] of names.entries()) {
      if (at === 10) proxy.cut();
      if (at === 20) proxy.restore();
      await product({ name });
      if (at === 25) {
        proxy.cut();
        proxy.restore();
      }
    }
  })();
  const seen = new Set<string>();
  while (!seen.has("Product 29")) seen.add((await changes.next()).record?.name ?? "");
  await written;
  expect([...seen]).toEqual(names);
});

test("another stream can start at a position", async () => {
  const changes = await open();
  const former = changes.position();
  const { id } = await product({ name: "Missed" });
  const again = reading(live(reader, { products: true }, { after: former }));
  expect(await again.next()).toMatchObject({ op: "create", id });
  const { meta } = await api.products.list({ position: true });
  expect(meta.position).toMatch(/./);
  const { meta: usual } = await api.products.list({});
  expect(usual).not.toHaveProperty("position");
  await api.products.update(id, { name: "Listed" });
  const listed = reading(live(reader, { products: true }, { after: meta.position ?? "" }));
  expect(await listed.next()).toMatchObject({ op: "update", record: { name: "Listed" } });
});

test("if changes are missing, a reset arrives once the next stream has begun, and that one continues", async () => {
  const unknown = reading(live(reader, { products: true }, { after: "nonsense" }));
  expect(await unknown.next()).toEqual({ op: "reset", reason: "unknown" });
  const { id } = await product({ name: "After it" });
  expect(await unknown.next()).toMatchObject({ op: "create", id });
  await app.db.query("truncate products cascade");
  expect(await unknown.next()).toEqual({ op: "reset", reason: "schema" });
  const { id: next } = await product({ name: "After all" });
  expect(await unknown.next()).toMatchObject({ op: "create", id: next });
});

test("a signal ends the iteration, and leaving the loop ends the stream", async () => {
  const stopping = new AbortController();
  const { stream, next } = await open({ signal: stopping.signal });
  const waiting = next();
  stopping.abort();
  await expect(waiting).rejects.toThrow("The stream has ended");
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  const aborted = live(reader, { products: true }, { signal: AbortSignal.abort() });
  expect(await aborted.next()).toEqual({ done: true, value: undefined });
});

test("permanent refusals are thrown", async () => {
  const clerk = createClient({ url: `${app.url}/api`, token: await app.signIn("clerk") });
  await expect(live(clerk, { stockCounts: true }).next()).rejects.toMatchObject({
    name: "ApiError",
    status: 403,
    error: "You may not list stock-counts",
  });
  // @ts-expect-error: there is no such field
  const wrong = live(clerk, { products: { where: { colour: "red" } } });
  await expect(wrong.next()).rejects.toMatchObject({ status: 400, issues: [{ param: "watch" }] });
  const elsewhere = createClient({
    url: "http://localhost/api",
    fetch: async () =>
      new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  });
  await expect(live(elsewhere, { products: true }).next()).rejects.toMatchObject({ status: 200 });
});

test("a token that has ended is an error, unless the client has another one", async () => {
  let token = await app.signIn("clerk");
  const own = createClient({ url: `${app.url}/api`, token: () => token });
  const positions: string[] = [];
  const onPosition = (at: string) => positions.push(at);
  const changes = reading(live(own, { products: true }, { onPosition }));
  const first = changes.next();
  await expect.poll(() => positions.length).toBe(1);
  const former = createClient({ url: `${app.url}/api`, token });
  token = await app.signIn("clerk");
  await former.auth.signOut();
  const { id } = await product({ name: "Still read" });
  expect(await first).toMatchObject({ op: "create", id });
  await own.auth.signOut();
  await expect(changes.stream.next()).rejects.toMatchObject({ name: "ApiError", status: 401 });
});

test("a full server is retried after the time that it names", async () => {
  let tries = 0;
  const busy = createClient({
    url: `${app.url}/api`,
    token: app.token,
    fetch: async (...request) => {
      tries += 1;
      if (tries > 2) return fetch(...request);
      const headers = { "content-type": "application/json", "retry-after": "1" };
      return new Response('{"error":"Busy"}', { status: tries === 1 ? 503 : 429, headers });
    },
  });
  const start = performance.now();
  let at = "";
  const changes = reading(
    live(busy, { products: true }, { onPosition: (position) => (at = position) }),
  );
  const first = changes.next();
  await expect.poll(() => at).not.toBe("");
  expect(performance.now() - start).toBeGreaterThan(2000);
  const { id } = await product({ name: "In the end" });
  expect(await first).toMatchObject({ id });
});

test("events are the same however the stream is split", async () => {
  const text = [
    ": hello",
    "",
    "event: ready",
    'data: {"position":"p1"}',
    "id: p1",
    "",
    "event: change",
    'data: {"op":"create","record":{"name":"Čaj 🍵"}}',
    "",
    "event: change",
    'data:{"op":"delete"}',
    "id: p2",
    "",
    // After a return alone one has to wait whether a line feed follows.
    ": the end",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    const bytes = new TextEncoder().encode(`\ufeff${text.join(end)}`);
    for (const size of [1, 2, 3, 7, 1000]) {
      const stopping = new AbortController();
      const body = new ReadableStream({
        start(parts) {
          for (let at = 0; at < bytes.length; at += size) parts.enqueue(bytes.slice(at, at + size));
        },
      });
      const headers = { "content-type": "text/event-stream" };
      const played = createClient({
        url: "/api",
        fetch: async () => new Response(body, { headers }),
      });
      const positions: string[] = [];
      const { signal } = stopping;
      const onPosition = (at: string) => positions.push(at);
      const seen: unknown[] = [];
      for await (const change of live(played, { products: true }, { signal, onPosition })) {
        seen.push(change);
        if (seen.length === 2) break;
      }
      expect(seen).toEqual([{ op: "create", record: { name: "Čaj 🍵" } }, { op: "delete" }]);
      expect(positions).toEqual(["p1"]);
    }
  }
});

/** The files with a shorter patience, in a folder of their own. */
async function impatient(ms: number) {
  const folder = mkdtempSync(join(tmpdir(), "service-live-"));
  ending.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "client"));
  for (const [path, code] of clientModules("market")) {
    writeFileSync(join(folder, path), code.replace("40_000", String(ms)));
  }
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href);
  const { createClient: create }: { createClient: typeof createClient } = await load("client.js");
  const { live: listen }: { live: typeof live } = await load("live.js");
  return { create, listen };
}

test("a stream without a sign of life is closed and started again", async () => {
  const { create, listen } = await impatient(400);
  const positions: string[] = [];
  const onPosition = (at: string) => positions.push(at);
  // Its own: connections that are kept for further requests are silent from then on too.
  const network = await openTcpProxy(app.url);
  ending.push(() => void network.close());
  const own = create({ url: `${network.url}api`, token: app.token });
  const changes = reading(listen(own, { products: true }, { onPosition }));
  const first = changes.next();
  await expect.poll(() => positions.length).toBe(1);
  network.silence();
  const { id } = await product({ name: "Into the void" });
  expect(await first).toMatchObject({ op: "create", id });
});

/** Starts a live list, and what it has shown. */
function shown(query: Parameters<typeof api.products.list>[0] = {}) {
  const pages: Product[][] = [];
  const failures: unknown[] = [];
  const stop = liveList(
    reader.products,
    query,
    ({ data }) => pages.push(data),
    (error) => failures.push(error),
  );
  ending.push(stop);
  return { pages, failures, stop };
}

test("a live list is requested once, and again after changes; many at once are one request", async () => {
  // With those of a first try the twenty would not fit on the page.
  await app.db.query("truncate products cascade");
  // What was before is over once a stream says what comes after it.
  const before = await open();
  const { id } = await product({ name: "Before" });
  while ((await before.next()).id !== id);
  asked = [];
  const { pages, stop } = shown({ sort: ["name"] });
  await expect.poll(() => asked.filter((path) => path.startsWith("/_service")).length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked.filter((path) => path === "/products/_query")).toHaveLength(1);
  await api.batch((batch) => {
    for (let at = 0; at < 20; at += 1) batch.products.create({ name: `Many ${at}`, price: 1 });
  });
  await expect.poll(() => pages.at(-1)?.some(({ name }) => name === "Many 19")).toBe(true);
  expect(asked.filter((path) => path === "/products/_query").length).toBeLessThanOrEqual(3);
  stop();
  const many = pages.length;
  await product({ name: "Unseen" });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(pages).toHaveLength(many);
});

test("live lists equal the lists after random writes, interruptions and resets", async () => {
  const category = newName("Random");
  const { id: categoryId } = await api.categories.create({ name: category });
  const queries = [
    { sort: ["-price", "name"], perPage: 5 },
    { where: { status: "live", price: { gte: 5 } }, sort: ["name"], perPage: 50 },
    { where: { category: { name: category } }, q: "random" },
    { where: { price: { lt: 3 } }, fields: ["name"], include: { category: true } },
  ] as const;
  const lists = queries.map((query) => shown(query as never));
  const ids: string[] = [];
  for (let at = 0; at < 120; at += 1) {
    const chance = Math.random();
    const price = Math.floor(Math.random() * 10);
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (at % 40 === 15) proxy.cut();
    if (at % 40 === 25) proxy.restore();
    if (at === 60) await app.db.query("truncate products cascade");
    if (at === 60) ids.length = 0;
    else if (id === undefined || chance < 0.5) {
      const status = chance < 0.1 ? "draft" : "live";
      const values = { name: `random ${at}`, price, status, ...(chance < 0.3 && { categoryId }) };
      ids.push((await product(values)).id);
    } else if (chance < 0.8) await api.products.update(id, { price });
    else {
      await api.products.delete(id);
      ids.splice(ids.indexOf(id), 1);
    }
    if (at % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const [at, query] of queries.entries()) {
    const { data } = await api.products.list(query as never);
    await expect.poll(() => lists[at]?.pages.at(-1)).toEqual(data);
    expect(lists[at]?.failures).toEqual([]);
  }
});

test("a list that is refused ends with its error", async () => {
  const clerk = createClient({ url: `${app.url}/api`, token: await app.signIn("clerk") });
  const error = await new Promise((resolve) => {
    liveList(clerk.stockCounts, {}, () => {}, resolve);
  });
  expect(error).toMatchObject({ name: "ApiError", status: 403 });
  const broken = new Error("the page cannot be shown");
  const own = await new Promise((resolve) => {
    liveList(
      clerk.products,
      {},
      () => {
        throw broken;
      },
      resolve,
    );
  });
  expect(own).toBe(broken);
});
