import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { signedInAccounts } from "../support/accounts/accounts.js";
import { type Client, client } from "../support/http/client.js";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";

let host: ShopHost;
let other: pg.Client;
beforeAll(async () => {
  host = await openHost("limits: { per_token_at_once: 0 }\n");
  other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
});
// A test that fails leaves no lock to those after it.
afterEach(() => other.query("rollback"));
afterAll(async () => {
  await other.end();
  await host.close();
});

/** Keeps every statement on the products waiting until the transaction ends. */
async function lockProducts(): Promise<void> {
  await other.query("begin");
  await other.query("lock table products");
}

/** Resolves when exactly so many statements wait for the products. */
async function untilLocked(count: number): Promise<void> {
  const text = "select from pg_locks where not granted and relation = 'products'::regclass";
  await expect.poll(async () => (await other.query(text)).rowCount).toBe(count);
}

let asked = 0;

/** Another list each time: the same one would be answered by one statement, or from memory. */
function lists(of: Client | undefined, count: number) {
  return Array.from({ length: count }, () => {
    asked += 1;
    return of?.get(`/products?sort=stock&filter[stock]=${asked}`);
  });
}

test("a single client gets half of the connections for slow lists, several get two each", async () => {
  const server = await host.serve();
  const [crowd, reader] = (await signedInAccounts(other, 2)).map(({ token }) =>
    client(server.url, token),
  );
  // Whoever made the server's first requests is present for five seconds.
  await other.query("select pg_sleep(5.1)");
  await lockProducts();
  const alone = lists(crowd, 8);
  await untilLocked(5);
  await other.query("rollback");
  await Promise.all(alone);

  await reader?.get("/products");
  await lockProducts();
  const waiting = [
    ...lists(crowd, 8),
    // These are prepared and not shared.
    ...[1, 2, 3].map((page) => crowd?.get(`/products?sort=stock&page=${page}`)),
  ];
  await untilLocked(2);
  waiting.push(...lists(reader, 1));
  await untilLocked(3);
  await other.query("select pg_sleep(0.3)");
  await untilLocked(3);
  await other.query("rollback");
  await Promise.all(waiting);
});
