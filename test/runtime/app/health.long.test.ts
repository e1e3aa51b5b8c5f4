import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../../support/accounts/smtp.js";
import { client, type Reply } from "../../support/http/client.js";
import { openTcpProxy, type TcpProxy } from "../../support/http/tcp-proxy.js";
import { openHost, type ShopHost, type ShopServer } from "../../support/processes/shop-process.js";

let host: ShopHost;
let network: TcpProxy;
let mails: MailServer;
let server: ShopServer;
let said = "";

beforeAll(async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of service.yaml.
  host = await openHost('uploads: { storage: { path: "${STORAGE:-storage}" } }\n');
  network = await openTcpProxy(host.databaseUrl);
  mails = await startMailServer({ user: { name: "shop", password: "right" } });
  server = await host.serve({ DATABASE_URL: network.url, SERVICE_LOG_LEVEL: "debug" });
  server.process.stdout.on("data", (chunk) => {
    said += chunk;
  });
});
afterAll(async () => {
  await host.close();
  await network.close();
  await mails.close();
});

const ready = ({ anonymous }: ShopServer = server): Promise<Reply> =>
  anonymous.get("/_service/ready");
const ok = { database: "ok", migrations: "ok", storage: "ok", mailer: "off" };

async function sql(...texts: readonly string[]): Promise<void> {
  const db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  for (const text of texts) await db.query(text);
  await db.end();
}

/** An answer is shared for a second. */
async function expectSoon(status: number, checks: Readonly<Record<string, string>>) {
  await expect.poll(async () => (await ready()).body).toMatchObject({ checks });
  const reply = await ready();
  expect([reply.status, reply.body]).toEqual([
    status,
    { status: status === 200 ? "ok" : "failing", checks },
  ]);
}

function logged(words: string): number {
  return said.split("\n").filter((line) => line.includes(words)).length;
}

/** Waits for the line of one more request: the log is read later than answers, and has all lines before it then. */
async function expectLogged(): Promise<string> {
  const id = (await ready()).headers["x-request-id"];
  const line = () => said.split("\n").find((one) => one.includes(`"requestId":"${id}"`));
  await expect.poll(line).toBeDefined();
  return line() ?? "";
}

test("both are public, by GET and HEAD, with any token, and are never cached", async () => {
  const live = await server.anonymous.get("/_service/live");
  expect([live.status, live.body]).toEqual([200, { status: "ok" }]);
  const first = await ready();
  expect([first.status, first.body]).toEqual([200, { status: "ok", checks: ok }]);
  for (const path of ["/_service/live", "/_service/ready"]) {
    const headers = { authorization: `Bearer ${"x".repeat(43)}` };
    const head = await server.anonymous.send("HEAD", path, { headers });
    expect([head.status, head.text, head.headers["cache-control"]]).toEqual([200, "", "no-store"]);
    expect((await server.anonymous.post(path, {})).status).toBe(405);
  }
});

test("they are logged at debug", async () => {
  expect(JSON.parse(await expectLogged())).toMatchObject({ level: 20, status: 200 });
});

test("a missing migration makes it 503, and is named in the log", async () => {
  await sql("update service.migrations set name = 'x' || name where name like '0003%'");
  await expect.poll(async () => (await ready()).status).toBe(503);
  expect((await ready()).body).toEqual({
    status: "failing",
    checks: { ...ok, migrations: "failing" },
  });
  await sql("update service.migrations set name = substr(name, 2) where name like 'x%'");
  await expectSoon(200, ok);
});

test("a read-only database makes it 503", async () => {
  const name = new URL(host.databaseUrl).pathname.slice(1);
  await sql(`alter database "${name}" set default_transaction_read_only = on`);
  // A session keeps what it began with.
  await sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await expectSoon(503, { ...ok, database: "failing" });
  await sql(
    "set default_transaction_read_only = off",
    `alter database "${name}" reset default_transaction_read_only`,
  );
  await sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await expectSoon(200, ok);
});

test("without its database the process lives; why it is not ready is logged once", async () => {
  const fails = "The check of the database fails";
  const succeeds = "The check of the database succeeds again";
  await expectLogged();
  const before = { fails: logged(fails), succeeds: logged(succeeds) };
  await host.stopDatabase();
  await expectSoon(503, { ...ok, database: "failing" });
  for (let asked = 0; asked < 3; asked += 1) expect((await ready()).status).toBe(503);
  expect((await server.anonymous.get("/_service/live")).status).toBe(200);
  await host.startDatabase();
  await expect.poll(async () => (await ready()).status).toBe(200);
  await expectLogged();
  expect(logged(fails)).toBe(before.fails + 1);
  expect(logged(succeeds)).toBe(before.succeeds + 1);
});

test("neither the storage nor the mail server makes it 503", async () => {
  writeFileSync(join(host.root, "file"), "");
  const { host: place } = new URL(mails.url);
  const right = await host.serve({ SERVICE_MAIL_URL: `smtp://shop:right@${place}` });
  expect((await ready(right)).body).toEqual({ status: "ok", checks: { ...ok, mailer: "ok" } });
  const wrong = await host.serve({
    STORAGE: "file/below",
    SERVICE_MAIL_URL: `smtp://shop:wrong@${place}`,
  });
  const reply = await ready(wrong);
  expect([reply.status, reply.body]).toEqual([
    200,
    { status: "ok", checks: { ...ok, storage: "failing", mailer: "failing" } },
  ]);
});

test("fifty load balancers that ask every 100 ms cost one check a second", async () => {
  const balancers = Array.from({ length: 50 }, () => client(server.url, null));
  const statements = async () => {
    const db = new pg.Client({ connectionString: host.databaseUrl });
    await db.connect();
    const { rows } = await db.query(
      "select xact_commit::int as count from pg_stat_database where datname = current_database()",
    );
    await db.end();
    return rows[0].count;
  };
  const before = await statements();
  const begun = performance.now();
  const statuses: number[] = [];
  await Promise.all(
    balancers.map(async ({ get }) => {
      for (let asked = 0; asked < 20; asked += 1) {
        statuses.push((await get("/_service/ready")).status);
        await sleep(100);
      }
    }),
  );
  expect(statuses).toEqual(Array(1_000).fill(200));
  const seconds = (performance.now() - begun) / 1_000;
  // The emails, for example, are looked for all along.
  expect(((await statements()) - before) / seconds).toBeLessThan(75);
});

test("a hanging database is detected in time, for any number of requests", async () => {
  network.freeze();
  await expect.poll(async () => (await ready()).status).toBe(503);
  const begun = performance.now();
  const replies = await Promise.all(Array.from({ length: 40 }, () => ready()));
  // The statement itself would be given up after 15 s, and 40 of them one after the other.
  expect(performance.now() - begun).toBeLessThan(15_000);
  for (const { status, body } of replies) {
    expect([status, body]).toEqual([
      503,
      { status: "failing", checks: { ...ok, database: "failing" } },
    ]);
  }
});
