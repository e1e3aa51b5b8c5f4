import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SignedIn, signedInAccounts } from "../support/accounts/accounts.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { type Client, client, type Page, type Reply, type Row } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { isHurried } from "../support/searches.js";

let host: ShopHost;
let server: ShopServer;
let killer: pg.Client;
let accounts: readonly SignedIn[];
let products: readonly Row[];
const clients = 32;
/** Of each client. */
const requests = isHurried ? 100 : 313;
beforeAll(async () => {
  host = await openHost();
  server = await host.serve();
  killer = new pg.Client({ connectionString: host.databaseUrl });
  await killer.connect();
  accounts = await signedInAccounts(killer, clients);
  const { admin, category } = server;
  products = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      created(admin, "products", { name: `Product ${at}`, price: at, categoryId: category.id }),
    ),
  );
});
afterAll(async () => {
  await killer.end();
  await host.close();
});

/** What one client sends, and what is right to answer. */
interface Exchange {
  readonly send: () => Promise<Reply>;
  readonly status: number;
  readonly check: (reply: Reply) => void;
}

interface Person {
  readonly account: SignedIn;
  readonly signedIn: Client;
  readonly stranger: Client;
  /** Nobody else changes it. */
  readonly own: Row;
}

/** The `number`th request of a client: another sort each time, about another record. */
function exchange({ account, signedIn, stranger, own }: Person, number: number): Exchange {
  const product = products[(number * 7 + Number(own.price) * 31) % products.length] ?? own;
  const { id, name } = product;
  const isProduct = ({ body }: Reply) => expect(body).toMatchObject({ id, name });
  switch (number % 8) {
    case 0:
    case 1:
      return { send: () => signedIn.get(`/products/${id}`), status: 200, check: isProduct };
    case 2: {
      const perPage = 1 + (number % 40);
      return {
        send: () => signedIn.get(`/products?perPage=${perPage}`),
        status: 200,
        check: ({ body }) => {
          const { data, meta } = body as Page;
          expect(meta).toMatchObject({ page: 1, perPage });
          expect(data).toHaveLength(perPage);
        },
      };
    }
    case 3:
      return {
        send: () => signedIn.get("/auth/me"),
        status: 200,
        check: ({ body }) => expect(body).toMatchObject({ user: { email: account.email } }),
      };
    case 4:
      return {
        send: () => signedIn.get(`/products?filter[name]=${encodeURIComponent(String(name))}`),
        status: 200,
        check: ({ body }) =>
          expect(body).toMatchObject({ data: [{ id, name }], meta: { total: 1 } }),
      };
    case 5:
      return {
        send: () => signedIn.patch(`/products/${own.id}`, { stock: number }),
        status: 200,
        check: ({ body }) =>
          expect(body).toMatchObject({ id: own.id, name: own.name, stock: number }),
      };
    case 6:
      return {
        send: () => signedIn.get(`/products/${randomUUID()}`),
        status: 404,
        check: (reply) => expectRefusal(reply, 404),
      };
    default:
      return {
        send: () => stranger.get(`/products/${id}`),
        status: 401,
        check: (reply) => expectRefusal(reply, 401),
      };
  }
}

function people(): readonly Person[] {
  return accounts.flatMap((account, at) => {
    const own = products[at];
    const stranger = client(server.url, `${account.token.slice(0, -4)}AAAA`);
    return own === undefined
      ? []
      : [{ account, own, stranger, signedIn: client(server.url, account.token) }];
  });
}

/** How many were answered as they should; any other answer must be a clean 503. */
async function run(person: Person, requests: number): Promise<number> {
  let right = 0;
  for (let number = 0; number < requests; number += 1) {
    const { send, status, check } = exchange(person, number);
    const reply = await send();
    if (reply.status === status) {
      check(reply);
      right += 1;
    } else {
      expectRefusal(reply, 503);
      expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    }
  }
  return right;
}

async function runAll(requests: number): Promise<number> {
  const right = await Promise.all(people().map((person) => run(person, requests)));
  return right.reduce((sum, count) => sum + count, 0);
}

test(`${clients * requests} mixed requests of ${clients} callers get their own rows or a clean 503 while connections are killed`, async () => {
  let over = false;
  let killed = 0;
  const killing = (async () => {
    while (!over) {
      // Every connection is hit in the end, some of them in the middle of their start.
      const { rowCount } = await killer.query(
        `select pg_terminate_backend(pid)
         from pg_stat_activity
         where datname = current_database()
           and pid <> pg_backend_pid()
           and random() < 0.3`,
      );
      killed += rowCount ?? 0;
      await sleep(20);
    }
  })();
  const right = await runAll(requests).finally(() => {
    over = true;
  });
  await killing;
  expect(killed).toBeGreaterThan(200);
  expect(right).toBeGreaterThan((clients * requests) / 10);

  // A connection that was killed last may not know it yet.
  await expect.poll(() => runAll(16)).toBe(clients * 16);
  expect(server.process.exitCode).toBeNull();
}, 300_000);

test("a session deleted by another process is refused at the next request, even during look-ups", async () => {
  const sessions = await signedInAccounts(killer, 50);
  let over = false;
  const load = Promise.all(
    people().map(async (person) => {
      while (!over) await run(person, 8);
    }),
  );
  for (const { email, token } of sessions) {
    const caller = client(server.url, token);
    const path = `/products/${products[0]?.id}`;
    const before = await Promise.all([caller.get(path), caller.get("/auth/me")]);
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    await killer.query(
      `delete from service.sessions
       where user_id = (select id from service.users where email = $1)`,
      [email],
    );
    const after = await Promise.all([
      caller.get(path),
      caller.get("/auth/me"),
      caller.get("/products"),
      caller.patch(path, { stock: 1 }),
    ]);
    for (const reply of after) expectRefusal(reply, 401);
  }
  over = true;
  await load;
});
