import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { hasPgbouncer, openPgbouncer } from "../database/pgbouncer.js";
import { openHost, type ServerProcess } from "./shop-process.js";

const server = `
import { z } from "zod";
import { createApp } from "./generated/app.js";

const input = z.object({ n: z.number() });
const app = await createApp({
  jobs: {
    often: {
      input,
      run: async ({ n }, { db }) => {
        await db.query("insert into began (n, pid) values ($1, $2)", [n, process.pid]);
        if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
        await db.query("insert into ran_often (n, pid) values ($1, $2)", [n, process.pid]);
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
    fill: {
      input,
      tries: 1,
      run: () => { for (const held = []; ; ) held.push(new Array(1_000_000).fill({})); },
    },
  },
  schedule: {},
});
await app.listen();
`;

/** Processes that run jobs of one app, for tests that kill them. */
export interface JobHost {
  readonly db: pg.Client;
  /** Starts one; every second one uses a proxy that pools transactions. */
  worker(number: number): ServerProcess;
  /** Stores this number of jobs, numbered from 1. */
  add(name: string, count: number): Promise<unknown>;
  close(): Promise<void>;
}

export async function openJobHost(): Promise<JobHost> {
  const host = await openHost(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the settings take it from the environment.
    "database: { prepare: '${PREPARE:-true}' }\nserver: { drain_seconds: 2 }\n",
  );
  symlinkSync(
    resolve(import.meta.dirname, "../../../node_modules/zod"),
    join(host.root, "node_modules/zod"),
  );
  writeFileSync(join(host.root, "dist/server.js"), server);
  const proxy = hasPgbouncer ? await openPgbouncer(host.databaseUrl) : null;
  const db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  const at = "at timestamptz not null default now()";
  await db.query(`create table began (n integer not null, pid integer not null, ${at})`);
  await db.query(`create table ran_often (n integer not null, pid integer not null, ${at})`);
  await db.query("create table ran_once (n integer primary key)");
  return {
    db,
    worker(number) {
      const address = number % 2 === 1 && proxy !== null ? proxy.url : null;
      return host.run({
        SERVICE_WORK_CONCURRENCY: "5",
        SERVICE_LOG_LEVEL: "silent",
        // One that fills its memory does not take that of the machine.
        NODE_OPTIONS: "--max-old-space-size=200",
        ...(address === null ? {} : { DATABASE_URL: address, PREPARE: "false" }),
      });
    },
    add: (name, count) =>
      db.query(
        `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
         select gen_random_uuid(), $1, json_build_object('n', n),
           case when $1 in ('often', 'once') then 100 else 1 end, now(), now()
         from generate_series(1, $2) n`,
        [name, count],
      ),
    async close() {
      await db.end();
      await proxy?.close();
      await host.close();
    },
  };
}
