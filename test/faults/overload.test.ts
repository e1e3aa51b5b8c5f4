import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { signedInAccounts } from "../support/accounts/accounts.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { client, type Reply } from "../support/http/client.js";
import { childrenOf } from "../support/processes/processes.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";

let host: ShopHost;
let other: pg.Client;
beforeAll(async () => {
  // One account sends hundreds of requests at once.
  const limits = "limits: { per_token_at_once: 0 }\n";
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of service.yaml.
  host = await openHost(`${limits}${'database: { pool_size: "${POOL_SIZE:-10}" }\n'}`);
});
afterAll(() => host.close());

beforeEach(async () => {
  other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
});
afterEach(() => other.end());

/** Keeps every statement on the products waiting until the transaction ends. */
async function lockProducts(): Promise<void> {
  await other.query("begin");
  await other.query("lock table products");
}

function expectUnavailable(reply: Reply): void {
  expectRefusal(reply, 503);
  expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
}

async function productsOf(server: ShopServer, count: number): Promise<readonly string[]> {
  const fields = { price: 1, categoryId: server.category.id };
  const rows = Array.from({ length: count }, (_, at) =>
    created(server.admin, "products", { name: `${server.url} ${at}`, ...fields }),
  );
  return (await Promise.all(rows)).map(({ id }) => `/products/${id}`);
}

test("a statement that takes too long is 503, while other statements are answered", async () => {
  const server = await host.serve();
  const [path = ""] = await productsOf(server, 1);
  const { admin } = server;
  const count = async () => (await admin.list("/products")).body.meta.total;
  const before = await count();
  await lockProducts();
  const waiting = Promise.all([
    admin.get("/products"),
    admin.get(path),
    admin.get("/products/_stats"),
    admin.patch(path, { price: 2 }),
    admin.put(path, { name: "Late", price: 2, categoryId: server.category.id }),
    admin.post("/products", { name: "Late", price: 2, categoryId: server.category.id }),
    admin.delete(path),
  ]);
  expect((await admin.get("/categories")).status).toBe(200);
  for (const reply of await waiting) expectUnavailable(reply);
  await other.query("rollback");
  expect((await admin.get(path)).body).toMatchObject({ price: 1 });
  expect(await count()).toBe(before);
});

test("requests beyond the connections wait for one, and are answered when one is free", async () => {
  const server = await host.serve({ POOL_SIZE: "2" });
  const [path = ""] = await productsOf(server, 1);
  await lockProducts();
  const waiting = Array.from({ length: 20 }, (_, at) => server.admin.patch(path, { stock: at }));
  await untilLocked(1);
  await other.query("rollback");
  for (const reply of await Promise.all(waiting)) expect(reply.status, reply.text).toBe(200);
});

test("requests that wait too long for a connection are 503", async () => {
  const server = await host.serve({ POOL_SIZE: "2" });
  const [path = ""] = await productsOf(server, 1);
  await lockProducts();
  const waiting = Array.from({ length: 8 }, () => server.admin.patch(path, { stock: 1 }));
  for (const reply of await Promise.all(waiting)) expectUnavailable(reply);
  await other.query("rollback");
  expect((await server.admin.patch(path, { stock: 2 })).status).toBe(200);
});

test("a locked table delays neither the token check nor the records of other tables", async () => {
  const server = await host.serve({ POOL_SIZE: "2" });
  const { admin, category } = server;
  const [path = ""] = await productsOf(server, 1);
  await lockProducts();
  const reader = client(server.url, server.token);
  const waiting = Array.from({ length: 20 }, () => reader.get(path));
  await untilLocked(1);
  for (let round = 0; round < 3; round += 1) {
    const read = await admin.get(`/categories/${category.id}`);
    expect(read.body).toMatchObject({ id: category.id });
    expect((await admin.get("/_service/resources")).status).toBe(200);
    const stranger = { headers: { authorization: `Bearer ${"a".repeat(43)}` } };
    expectRefusal(await admin.send("GET", `/categories/${category.id}`, stranger), 401);
  }
  await other.query("rollback");
  // On a busy machine some have waited as long as they may.
  for (const reply of await Promise.all(waiting)) {
    if (reply.status !== 200) expectUnavailable(reply);
  }
  expect((await reader.get(path)).status).toBe(200);
});

test("a locked table leaves half of the connections to other requests, and its own are released", async () => {
  const server = await host.serve();
  const { admin, category } = server;
  const [path = ""] = await productsOf(server, 1);
  await lockProducts();
  const crowd = client(server.url, server.token);
  const waiting = Array.from({ length: 30 }, (_, at) =>
    at % 2 === 0
      ? crowd.patch(path, { stock: at })
      : // Another list each time: the same one would be answered to all of them by one statement.
        crowd.get(`/products?sort=name&filter[stock]=${at}`),
  );
  await untilLocked(5);
  const others = client(server.url, server.token);
  for (let round = 0; round < 20; round += 1) {
    for (const reply of [
      await others.get("/auth/me"),
      await others.get("/categories?sort=name&filter[name]=Everything"),
      await others.patch(`/categories/${category.id}`, { name: `Everything ${server.url}` }),
      await others.get("/categories/_stats"),
    ]) {
      expect(reply.status, reply.text).toBe(200);
    }
  }
  for (const reply of await Promise.all(waiting)) expectUnavailable(reply);
  await other.query("rollback");
  expect((await admin.patch(path, { stock: 2 })).status).toBe(200);
});

test("a locked record is 503 after some seconds, for any operation on it", async () => {
  const server = await host.serve();
  const { admin } = server;
  const [path = ""] = await productsOf(server, 1);
  await other.query("begin");
  await other.query("select from products where id = $1 for update", [path.split("/").at(-1)]);
  // The lock is held until it is answered.
  expectUnavailable(await admin.patch(path, { price: 2 }));
  // Who waits behind others waits for them first, and then for the lock.
  const waiting = [
    admin.patch(path, { price: 2 }),
    admin.delete(path),
    admin.post("/reviews", { productId: path.split("/").at(-1), rating: 1, body: "Not so good." }),
  ];
  for (const reply of await Promise.all(waiting)) expectUnavailable(reply);
  expect((await admin.get(path)).status).toBe(200);
  await other.query("rollback");
  expect((await admin.patch(path, { price: 2 })).status).toBe(200);
});

/** Resolves when so many statements wait for the products. */
async function untilLocked(count: number): Promise<void> {
  const text = "select from pg_locks where not granted and relation = 'products'::regclass";
  await expect.poll(async () => (await other.query(text)).rowCount).toBeGreaterThanOrEqual(count);
}

test("no request needs a second connection while it holds one", async () => {
  const server = await host.serve({ POOL_SIZE: "1" });
  const { admin, category } = server;
  const [leaver] = await signedInAccounts(other, 1);
  const made = await productsOf(server, 20);
  const paths = made.slice(0, 10);
  const unwanted = made.slice(10);
  await other.query("delete from service.attempts");
  const fixed = { price: 1, active: true, status: "draft", categoryId: category.id };
  const product = (name: string) => ({ ...fixed, name });
  const requestsOf = (path: string, at: number) =>
    [
      [201, admin.post("/products", product(`New of ${server.url} ${at}`))],
      [422, admin.post("/products", product(`${server.url} ${at}`))],
      [200, admin.put(path, product(`${server.url} ${at}`))],
      [204, admin.delete(unwanted[at] ?? "")],
      [404, admin.get("/products/01890000-0000-7000-8000-000000000000")],
      [200, admin.get(`/categories/${category.id}`)],
      [200, admin.get("/_service/resources")],
      [401, client(server.url, "a".repeat(43)).get(path)],
      [200, admin.get(path)],
      [200, admin.get("/products?sort=name")],
      [200, admin.get("/products/_stats?field=status")],
      [200, admin.patch(path, { stock: at })],
      [422, admin.patch(path, { stock: "x" })],
      [422, admin.patch(path, { categoryId: "01890000-0000-7000-8000-000000000000" })],
      [422, admin.patch(path, { name: `${server.url} ${(at + 1) % 10}` })],
      [409, admin.delete(`/categories/${category.id}`)],
      [200, admin.get("/auth/me")],
      [200, server.anonymous.get("/_service/ping")],
    ] satisfies [number, Promise<Reply>][];
  const requestsOfAccounts = () =>
    [
      [201, server.anonymous.post("/auth/token", account)],
      [401, server.anonymous.post("/auth/token", { ...account, password: "a wrong one" })],
      [204, client(server.url, leaver?.token ?? "").delete("/auth/token")],
    ] satisfies [number, Promise<Reply>][];
  // Of all at once, a busy machine needs more than the five seconds that each of them may wait.
  for (const [at, path] of paths.entries()) {
    const sent = [...requestsOf(path, at), ...(at === 0 ? requestsOfAccounts() : [])];
    for (const [status, reply] of sent) {
      const { status: answered, text } = await reply;
      expect(answered, text).toBe(status);
    }
  }
});

test("a database that stops answering is 503, and is used again when it answers", async () => {
  const server = await host.serve();
  const [path = ""] = await productsOf(server, 1);
  const postgres = await stopProcesses();
  try {
    const waiting = [server.admin.get(path), server.admin.patch(path, { stock: 1 })];
    for (const reply of await Promise.all(waiting)) expectUnavailable(reply);
  } finally {
    for (const pid of postgres) process.kill(pid, "SIGCONT");
  }
  // A connection that was lost, or the statement of before, may be in the way of the first.
  await expect
    .poll(async () => (await server.admin.patch(path, { stock: 2 })).status, { timeout: 60_000 })
    .toBe(200);
});

/** Stops PostgreSQL's main process and then all others, also one that has just been started for a new connection. */
async function stopProcesses(): Promise<Iterable<number>> {
  const text = "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid";
  const { pid: main } = (await other.query<{ pid: number }>(text)).rows[0] ?? {};
  const stopped = new Set<number>();
  const running = () => childrenOf(main).filter((pid) => !stopped.has(pid));
  for (let pids = [main ?? Number.NaN]; pids.length > 0; pids = running()) {
    for (const pid of pids) {
      process.kill(pid, "SIGSTOP");
      stopped.add(pid);
    }
  }
  return stopped;
}
