import pg from "pg";
import { expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { migrate } from "../../runtime/migrate/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { newChangedApp } from "../support/apps/changed-app.js";
import { startWrites } from "../support/database/write-load.js";

const rows = 50_000;
const products = "fields:\n  name: { type: string, required: true }\n";

/** Slow enough for a vacuum of some rows to take minutes. */
const settings = {
  fsync: "off",
  autovacuum_naptime: "1s",
  autovacuum_vacuum_cost_delay: "100ms",
  autovacuum_vacuum_cost_limit: "1",
};

test("an autovacuum is interrupted, also for a role that may not change the delay", async () => {
  const root = makeAppFolder();
  const server = await startEmbedded({ root, settings });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  try {
    await admin.query("create role plain login password 'plain'");
    await admin.query("create database vacuumed owner plain");
    const url = new URL(server.url);
    Object.assign(url, { pathname: "/vacuumed", username: "plain", password: "plain" });
    const app = await newChangedApp({ url: url.href, drop: async () => {} });
    await app.generate(new Map([["products.yaml", products]]));
    await app.migrate();
    await app.client.query(
      `insert into products (id, name)
       select gen_random_uuid(), 'Product ' || n from generate_series(1, ${rows}) as n`,
    );
    await app.client.query("delete from products where name like '%7%'");
    const vacuums = async () =>
      (await admin.query("select pid from pg_stat_progress_vacuum where datname = 'vacuumed'")).rows
        .length;
    await expect.poll(vacuums).toBeGreaterThan(0);

    const load = await startWrites({
      url: url.href,
      writers: 3,
      pauseMs: 5,
      next: (writer, round) => ({
        text: "insert into products (id, name) values (gen_random_uuid(), $1)",
        values: [`New ${writer} ${round}`],
      }),
    });
    await app.generate(
      new Map([["products.yaml", `${products}  price: { type: number, default: 1 }\n`]]),
    );
    const { applied } = await migrate({ ...app.target, lockRetryMs: 15_000 });
    expect(applied).toHaveLength(1);
    await load.stop();
    expect(load.errors).toEqual([]);
    await app.close();
  } finally {
    await admin.end();
    await server.stop();
    removeAppFolder(root);
  }
});
