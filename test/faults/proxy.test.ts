import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import { type SignedIn, signedInAccounts } from "../support/accounts/accounts.js";
import { created, newName } from "../support/apps/shop.js";
import { hasPgbouncer, openPgbouncer, type Pgbouncer } from "../support/database/pgbouncer.js";
import { client, type Reply } from "../support/http/client.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";

if (!hasPgbouncer) process.stderr.write("pgbouncer is not installed: its tests are skipped\n");

describe.skipIf(!hasPgbouncer)("behind a proxy that pools by transaction", () => {
  let host: ShopHost;
  let direct: pg.Client;
  let proxy: Pgbouncer;
  let server: ShopServer;
  beforeAll(async () => {
    host = await openHost("database: { prepare: false }\n");
    direct = new pg.Client(host.databaseUrl);
    await direct.connect();
    proxy = await openPgbouncer(host.databaseUrl);
    server = await host.serve({ DATABASE_URL: proxy.url });
  });
  afterAll(async () => {
    await proxy.close();
    await direct.end();
    await host.close();
  });

  test("every kind of endpoint answers many callers at once", async () => {
    const accounts = await signedInAccounts(direct, 30);
    await Promise.all(accounts.map((person, at) => visit(person, at)));
    const signIns = Array.from({ length: 3 }, () => server.anonymous.post("/auth/token", account));
    for (const { status, text } of await Promise.all(signIns)) expect(status, text).toBe(201);
  });

  /** One of everything, as one caller, around a record of its own. */
  async function visit({ email, token }: SignedIn, at: number): Promise<void> {
    const caller = client(server.url, token);
    const name = newName(`Product ${at}`);
    const fixed = { active: true, status: "live", categoryId: server.category.id };
    const { id } = await created(caller, "products", { ...fixed, name, price: at });
    const path = `/products/${id}`;
    const filtered = `/products?filter[name]=${encodeURIComponent(name)}`;
    for (let round = 0; round < 5; round += 1) {
      await expectBody(caller.get(path), 200, { id, name });
      await expectBody(caller.patch(path, { stock: round }), 200, { id, stock: round });
      await expectBody(caller.put(path, { ...fixed, name, price: round }), 200, { price: round });
      await expectBody(caller.get(filtered), 200, { data: [{ id }], meta: { total: 1 } });
      await expectBody(caller.get("/products?q=product&sort=-price&page=2&perPage=5"), 200, {});
      await expectBody(caller.get("/products/_stats?field=status"), 200, { values: {} });
      await expectBody(caller.get("/auth/me"), 200, { user: { email } });
      await expectBody(caller.post("/products", { ...fixed, name, price: 1 }), 422, {});
      await expectBody(caller.delete(`/categories/${server.category.id}`), 409, {});
    }
    await expectBody(server.anonymous.get("/_service/ping"), 200, {});
    await expectBody(caller.get("/_service/resources"), 200, {});
    expect((await caller.delete(path)).status).toBe(204);
    await expectBody(caller.get(path), 404, {});
    expect((await caller.delete("/auth/token")).status).toBe(204);
    await expectBody(caller.get(path), 401, {});
  }

  async function expectBody(sent: Promise<Reply>, status: number, body: object): Promise<void> {
    const reply = await sent;
    expect(reply.status, reply.text).toBe(status);
    expect(reply.body).toMatchObject(body);
  }

  test("look-ups, searches and transactions use the proxy's few connections", async () => {
    const db = openDatabase({ url: proxy.url, poolSize: 10, prepare: false });
    const same = "select pg_backend_pid() as pid, $1::int as n";
    const asked = Array.from({ length: 60 }, (_, n) => [
      db.query(same, [n]),
      db.read({ text: same, values: [n], cost: "key" }),
      db.read({ text: same, values: [n], cost: "scan", isVaried: true }),
      db.transaction(async (connection) => {
        const [first] = await connection.query<{ pid: number }>(same, [n]);
        return connection.query(`${same} where pg_backend_pid() = $2`, [n, first?.pid]);
      }),
    ]);
    for (const [n, answers] of asked.entries()) {
      for (const rows of await Promise.all(answers)) expect(rows).toMatchObject([{ n }]);
    }
    await db.close();
  });

  test("a role that searches another schema first is refused, with the fix", async () => {
    // As PostgreSQL has it: the schema that is called like the role, then public.
    await direct.query(`alter role service set search_path = "$user", public`);
    const withoutDefault = await openPgbouncer(host.databaseUrl);
    const refused = await host.run({ DATABASE_URL: withoutDefault.url });
    await withoutDefault.close();
    const fix = "alter role service set search_path = public";
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      `The database looks for the app's tables in the schema service; a proxy that pools by transaction does not pass search_path on, so the role needs it as a default (run in that database: ${fix})`,
    ]);

    await direct.query(fix);
    // The proxy's connections of before keep theirs.
    const corrected = await openPgbouncer(host.databaseUrl);
    const { admin } = await host.serve({ DATABASE_URL: corrected.url });
    expect((await admin.get("/products")).status).toBe(200);
    await corrected.close();
  });
});
