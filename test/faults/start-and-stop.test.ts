import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { created, newName } from "../support/apps/shop.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import { openWire } from "../support/http/wire.js";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

/** A session that ends with its test, with its locks, though that fails. */
async function connected(): Promise<pg.Client> {
  const other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
  onTestFinished(() => other.end());
  return other;
}

/** What a start that is refused leaves: one line, and so nothing that looks like a stack. */
async function refusal(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { exitCode, stderr } = await host.run(env);
  expect(exitCode).toBe(1);
  expect(stderr.split("\n")).toHaveLength(1);
  return stderr;
}

test("a start while the database is down exits with 1 and reports it", async () => {
  await host.stopDatabase();
  expect(await refusal()).toMatch(
    /^The database cannot be reached: connect ECONNREFUSED \S+ \(check DATABASE_URL, and that PostgreSQL is running at that address\)$/,
  );
  await host.startDatabase();
});

test("a start without the right password or database exits with 1 and the hint for each", async () => {
  const password = new URL(host.databaseUrl);
  password.password = "wrong";
  expect(await refusal({ DATABASE_URL: password.href })).toBe(
    'The database refuses DATABASE_URL: password authentication failed for user "service" ' +
      "(correct user and password in DATABASE_URL; if the password has one of @ : / ? # %, percent-encode it (@ is %40))",
  );
  const database = new URL(host.databaseUrl);
  database.pathname = "/nothing";
  expect(await refusal({ DATABASE_URL: database.href })).toBe(
    'The database refuses DATABASE_URL: database "nothing" does not exist ' +
      "(create that database, or correct the name at the end of DATABASE_URL)",
  );
});

test("a start while the migrations' ledger is locked names the lock, not the address", async () => {
  const other = await connected();
  await other.query("begin");
  await other.query("lock table service.migrations");
  expect(await refusal()).toBe(
    "The database cannot be used: canceling statement due to lock timeout " +
      "(another session holds a lock: try again when its transaction has ended)",
  );
});

test("a start on a port that is taken exits with 1 and one line", async () => {
  const server = await host.serve();
  expect(await refusal({ PORT: new URL(server.url).port })).toMatch(/port/i);
  server.process.kill("SIGTERM");
  await server.process;
});

test("a start with a pending migration exits with 1 and names the command", async () => {
  const { pathname } = new URL(host.databaseUrl);
  const admin = new pg.Client({ connectionString: host.databaseUrl });
  await admin.connect();
  await admin.query("drop database if exists empty");
  await admin.query("create database empty");
  await admin.end();
  const empty = host.databaseUrl.replace(pathname, "/empty");
  expect(await refusal({ DATABASE_URL: empty })).toMatch(
    /^The database is missing \d+ migrations, starting with 0001_accounts \(run: npx service migrate\)$/,
  );
});

test("a start on the database of a newer release warns, unless one of its changes is breaking", async () => {
  const admin = new pg.Client({ connectionString: host.databaseUrl });
  await admin.connect();
  await admin.query(
    "insert into service.migrations (source, name, checksum) values ('app', '9999_newer', 'x')",
  );
  const { process } = await host.serve();
  process.kill("SIGTERM");
  expect((await process).stdout).toContain(
    "The database is newer than this release: it has migrations/9999_newer.sql",
  );
  await admin.query("update service.migrations set breaking = true where name = '9999_newer'");
  expect(await refusal()).toBe(
    [
      "This release cannot work with the database: a newer one has applied migrations/9999_newer.sql, which is marked @breaking",
      "(install that release of the app or a later one)",
    ].join(" "),
  );
  // Its files may be there before it is built.
  const file = join(host.root, "migrations/9999_newer.sql");
  writeFileSync(file, "-- @breaking\nselect 1;\n");
  await admin.query("update service.migrations set checksum = $1 where name = '9999_newer'", [
    createHash("sha256").update(readFileSync(file)).digest("hex"),
  ]);
  expect(await refusal()).toContain("a newer one has applied migrations/9999_newer.sql");
  await admin.query("delete from service.migrations where name = '9999_newer'");
  const other = await host.serve();
  other.process.kill("SIGTERM");
  await other.process;
  rmSync(file);
  await admin.end();
});

test("a start with wrong settings exits with 1 and a line for each", async () => {
  const { exitCode, stderr } = await host.run({ PORT: "http", SERVICE_SECRET: "short" });
  expect(exitCode).toBe(1);
  expect(stderr.split("\n")).toEqual([
    expect.stringContaining("PORT"),
    expect.stringContaining("SERVICE_SECRET"),
  ]);
});

test("a start without sign-in and without an `authenticate` exits with 1 and one line", async () => {
  const file = join(host.root, "service.yaml");
  writeFileSync(file, "auth: { enabled: false }\n");
  expect(await refusal()).toMatch(/authenticate/);
  writeFileSync(file, "auth: { check_breached_passwords: false }\n");
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s lets the request in progress finish, accepts no new connection, and exits with 0",
  async (signal) => {
    const server = await host.serve();
    const fields = { name: newName(signal), price: 1, categoryId: server.category.id };
    const { id } = await created(server.admin, "products", fields);
    const other = await connected();
    await other.query("begin");
    await other.query("lock table products");
    const change = server.admin.patch(`/products/${id}`, { price: 2 });
    await expect.poll(async () => (await other.query(lockWaiters)).rowCount).toBe(1);
    server.process.kill(signal);
    await expect.poll(() => openWire(server.url).catch(({ code }) => code)).toBe("ECONNREFUSED");
    // A connection that has been open may still ask, and is told that it is the last time.
    const last = await server.anonymous.get("/auth/config");
    expect([last.status, last.headers.connection]).toEqual([200, "close"]);
    await expect(server.anonymous.get("/auth/config")).rejects.toThrow("ECONNREFUSED");
    await other.query("rollback");
    const reply = await change;
    expect([reply.status, reply.body.price]).toEqual([200, 2]);
    expect(reply.headers.connection).toBe("close");
    expect((await server.process).exitCode).toBe(0);
    const stored = await other.query("select price from products where id = $1", [id]);
    expect(Number(stored.rows[0].price)).toBe(2);
  },
);

test("the database has no connection of a stopped server", async () => {
  const server = await host.serve();
  const other = await connected();
  server.process.kill("SIGTERM");
  await server.process;
  await expect.poll(() => othersOf(other)).toBe(0);
});

async function othersOf(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database()
       and pid <> pg_backend_pid()`,
  );
  return rowCount ?? 0;
}
