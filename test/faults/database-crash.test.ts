import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { migrate } from "../../runtime/migrate/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

const migrations = join(import.meta.dirname, "../../fixtures/apps/shop/migrations");
const category = "00000000-0000-7000-8000-000000000001";

test("the tally is exact after PostgreSQL was killed under its writers", async () => {
  const root = makeAppFolder();
  const first = await startEmbedded({ root });
  await migrate({ url: first.url, directory: migrations });
  const admin = await connected(first.url);
  await admin.query("insert into categories (id, name) values ($1, 'All')", [category]);
  const { rows: folder } = await admin.query("show data_directory");
  const writers = Array.from({ length: 8 }, (_, at) => writeUntilCut(first.url, at));
  await until(async () => {
    const { rows } = await admin.query("select count(*)::int as total from products");
    return rows[0].total > 200;
  });
  process.kill(postmasterOf(folder[0].data_directory), "SIGKILL");
  const written = await Promise.all(writers);
  await first.stop().catch(() => {});

  const second = await startEmbedded({ root });
  try {
    const client = await connected(second.url);
    const { rows: wrong } = await client.query("select * from service.wrong_counts()");
    expect(wrong).toEqual([]);
    const { rows } = await client.query(
      "select sum(total)::int as total from service.products__tally",
    );
    // A commit whose answer was cut off may have been made.
    const sure = written.reduce((sum, count) => sum + count, 0);
    expect(rows[0].total).toBeGreaterThanOrEqual(sure);
    expect(rows[0].total).toBeLessThanOrEqual(sure + writers.length);
    await client.end();
  } finally {
    await second.stop();
    removeAppFolder(root);
  }
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Inserts products one by one until the connection breaks; how many were confirmed. */
async function writeUntilCut(url: string, writer: number): Promise<number> {
  const client = await connected(url);
  for (let count = 0; ; count += 1) {
    try {
      await client.query(
        `insert into products (id, name, price, category_id, status)
         values (gen_random_uuid(), $1, 1, $2, $3)`,
        [`w${writer}-${count}`, category, count % 2 === 0 ? "live" : "gone"],
      );
    } catch {
      return count;
    }
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
}
