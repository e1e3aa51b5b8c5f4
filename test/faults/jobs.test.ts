import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasPgbouncer, openPgbouncer, type Pgbouncer } from "../support/database/pgbouncer.js";
import { openHost, type ServerProcess, type ShopHost } from "../support/processes/shop-process.js";

const server = `
import { z } from "zod";
import { createApp } from "./generated/app.js";

const input = z.object({ n: z.number() });
const app = await createApp({
  jobs: {
    often: {
      input,
      run: async ({ n }, { db }) => {
        if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
        await db.query("insert into ran_often (n) values ($1)", [n]);
      },
    },
    once: {
      input,
      transaction: true,
      run: async ({ n }, { db }) => {
        await db.query("insert into ran_once (n) values ($1)", [n]);
        if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
      },
    },
    end: { input, tries: 1, run: () => process.exit(3) },
    block: { input, tries: 1, run: () => { for (;;); } },
  },
  schedule: {},
});
await app.listen();
`;

let host: ShopHost;
let proxy: Pgbouncer | null = null;
let db: pg.Client;
beforeAll(async () => {
  host = await openHost(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the settings take it from the environment.
    "database: { prepare: '${PREPARE:-true}' }\nserver: { drain_seconds: 2 }\n",
  );
  symlinkSync(
    resolve(import.meta.dirname, "../../node_modules/zod"),
    join(host.root, "node_modules/zod"),
  );
  writeFileSync(join(host.root, "dist/server.js"), server);
  if (hasPgbouncer) proxy = await openPgbouncer(host.databaseUrl);
  db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  await db.query("create table ran_often (n integer not null, at timestamptz default now())");
  await db.query("create table ran_once (n integer primary key)");
});
afterAll(async () => {
  await db.end();
  await proxy?.close();
  await host.close();
});

/** Every other process reaches the database through a proxy that pools transactions. */
function worker(number: number): ServerProcess {
  const address = number % 2 === 1 && proxy !== null ? proxy.url : null;
  return host.run({
    SERVICE_WORK_TOGETHER: "5",
    SERVICE_LOG_LEVEL: "silent",
    ...(address === null ? {} : { DATABASE_URL: address, PREPARE: "false" }),
  });
}

const add = (name: string, count: number) =>
  db.query(
    `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
     select gen_random_uuid(), $1, json_build_object('n', n), case when $1 in ('end', 'block') then 1 else 100 end, now(), now()
     from generate_series(1, $2) n`,
    [name, count],
  );

test("processes that are killed, end or hang lose no job, and what is done in its transaction is done once", async () => {
  await add("often", 1_500);
  await add("once", 1_500);
  const alive = Array.from({ length: 4 }, (_, number) => worker(number));
  for (let kill = 0; kill < 6; kill += 1) {
    await sleep(700);
    const number = kill % 4;
    alive[number]?.kill("SIGKILL");
    await alive[number];
    alive[number] = worker(number);
  }
  const killed = performance.now();
  const open = async () => {
    const { rows } = await db.query("select count(*)::int as count from service.jobs");
    return rows[0].count;
  };
  await expect.poll(open, { timeout: 60_000, interval: 200 }).toBe(0);
  expect(performance.now() - killed).toBeLessThan(50_000);
  const often = await db.query("select count(distinct n)::int as count from ran_often");
  expect(often.rows).toEqual([{ count: 1_500 }]);
  const once = await db.query("select count(*)::int as count from ran_once");
  expect(once.rows).toEqual([{ count: 1_500 }]);

  // One ends its process, one keeps it busy for ever: others go on, and each fails alone.
  await add("end", 1);
  await add("block", 1);
  await expect
    .poll(async () => (await db.query("select from service.jobs where state = 'running'")).rowCount)
    .toBe(2);
  await db.query("truncate ran_often");
  await add("often", 50);
  await expect
    .poll(
      async () =>
        (await db.query("select name, state, error from service.jobs order by name")).rows,
      { timeout: 60_000, interval: 200 },
    )
    .toEqual([
      { name: "block", state: "failed", error: "Its process ended" },
      { name: "end", state: "failed", error: "Its process ended" },
    ]);
  expect((await db.query("select count(distinct n)::int as count from ran_often")).rows).toEqual([
    { count: 50 },
  ]);
  for (const one of alive) one.kill("SIGKILL");
  await Promise.all(alive);
}, 180_000);
