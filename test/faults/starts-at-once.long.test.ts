import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { generateNextShop } from "../support/apps/next-shop.js";
import { created } from "../support/apps/shop.js";
import { dump } from "../support/database/dump.js";
import { client } from "../support/http/client.js";
import { faultChance } from "../support/load/chance.js";
import { faultRounds, faultTimeout as timeout } from "../support/load/under-load.js";
import { plain, program } from "../support/processes/commands.js";
import { account, listening, openHost, type ShopHost } from "../support/processes/shop-process.js";
import { isHurried } from "../support/searches.js";

const rows = 5_000;
/** CI kills once: each round starts six processes. */
const kills = isHurried ? 1 : faultRounds;

let host: ShopHost;
/** The name of the migration that is pending. */
let pending: string;
/** The database after a migration that nobody disturbed. */
let whole: readonly string[];
beforeAll(async () => {
  host = await openHost();
  await inDatabase(host.databaseUrl, async (db) => {
    await db.query(
      `with category as (insert into categories (id, name) values (gen_random_uuid(), 'Tea') returning id)
       insert into products (id, name, price, category_id)
       select service.uuid_v7(), 'Tea ' || n, 1, category.id from category, generate_series(1, $1::int) n`,
      [rows],
    );
  });
  pending = await generateNextShop(host.root);
  // The servers are of the release whose migration is pending.
  const release = "generated/migrations.json";
  cpSync(join(host.root, release), join(host.root, "dist", release));
  const url = await copyOfDatabase("whole");
  expect((await migrate({ url, directory: join(host.root, "migrations") })).applied).toHaveLength(
    1,
  );
  whole = await dump(url);
});
afterAll(() => host.close());

async function inDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** The address of a new database with the rows and without the migration. */
async function copyOfDatabase(name: string): Promise<string> {
  const { pathname } = new URL(host.databaseUrl);
  const admin = host.databaseUrl.replace(pathname, "/template1");
  await inDatabase(admin, (db) =>
    db.query(`create database ${name} template ${pg.escapeIdentifier(pathname.slice(1))}`),
  );
  return host.databaseUrl.replace(pathname, `/${name}`);
}

/** Runs the command as an operator would. */
function startMigrate(url: string) {
  return execa(process.execPath, [program, "-C", host.root, "migrate", "--json", "--verbose"], {
    env: { ...plain, DATABASE_URL: url },
    reject: false,
  });
}

interface KeptServer {
  /** What the starts said that were refused. */
  readonly refusals: readonly string[];
  /** Its address, once it serves. */
  readonly url: Promise<string>;
  stop(): Promise<void>;
}

/** Runs a server, and again whenever it ends, as whatever keeps one running does. */
function keepServing(url: string): KeptServer {
  const refusals: string[] = [];
  let running = host.run({ DATABASE_URL: url });
  const address = (async () => {
    for (;;) {
      try {
        return await listening(running);
      } catch {
        const { exitCode, stderr } = await running;
        refusals.push(`${exitCode}: ${stderr}`);
        await sleep(100);
        running = host.run({ DATABASE_URL: url });
      }
    }
  })();
  return {
    refusals,
    url: address,
    stop: async () => {
      running.kill("SIGTERM");
      await running;
    },
  };
}

/** Both serve, each what the other has written; the database is as if one had migrated alone. */
async function expectWell(url: string, servers: readonly KeptServer[]): Promise<void> {
  const urls = await Promise.all(servers.map((server) => server.url));
  const clients = await Promise.all(
    urls.map(async (one) => {
      const made = await client(one, null).post<{ token: string }>("/auth/token", account);
      expect(made.status, made.text).toBe(201);
      return client(one, made.body.token);
    }),
  );
  const [first, second] = clients;
  if (first === undefined || second === undefined) throw new Error("there are two servers");
  const category = await created(first, "categories", { name: "Coffee" });
  const product = await created(second, "products", {
    ...{ name: "Beans", price: 1, categoryId: category.id },
  });
  expect((await first.get(`/products/${product.id}`)).body).toMatchObject({ name: "Beans" });
  expect((await second.list("/products?perPage=1")).body.meta.total).toBe(rows + 1);
  await Promise.all(servers.map((server) => server.stop()));
  // A server is refused for this alone, however often it is started.
  const refusal = `1: The database is missing the migration ${pending} (run: npx service migrate)`;
  const refusals = servers.flatMap((server) => server.refusals);
  expect(refusals.filter((said) => said !== refusal)).toEqual([]);
  expect(await dump(url)).toEqual(whole);
  await inDatabase(url, async (db) => {
    expect((await db.query("select * from service.wrong_counts()")).rows).toEqual([]);
    const ledger = "select from service.migrations where source = 'app' and name = $1";
    expect((await db.query(ledger, [pending])).rowCount).toBe(1);
  });
}

const appliedBy = (stdout: string): number => JSON.parse(stdout).applied.length;

test("one of two migrates and two servers started at once migrates, and then both servers serve", {
  timeout,
}, async () => {
  const url = await copyOfDatabase("at_once");
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  // The migration takes until both servers were refused.
  await holder.query("begin; lock table products in access share mode");
  const migrates = [startMigrate(url), startMigrate(url)];
  const servers = [keepServing(url), keepServing(url)];
  await expect.poll(() => servers.every(({ refusals }) => refusals.length > 0)).toBe(true);
  await holder.query("rollback");
  await holder.end();
  const ends = await Promise.all(migrates);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(ends.map(({ stdout }) => appliedBy(stdout)).toSorted()).toEqual([0, 1]);
  const waited = ends.filter(({ stderr }) => stderr.includes("Another migrate is running"));
  expect(waited.map(({ stdout }) => appliedBy(stdout))).toEqual([0]);
  await expectWell(url, servers);
});

test("if the one that migrates is killed at any step, the other one finishes", {
  timeout,
}, async () => {
  const chance = faultChance("starts-at-once");
  for (let round = 0; round < kills; round += 1) {
    const url = await copyOfDatabase(`killed_${round}`);
    const migrates = [startMigrate(url), startMigrate(url)];
    const servers = [keepServing(url), keepServing(url)];
    const step = 1 + chance.below(8);
    const begun = migrates.map((one, at) => hasSaid(one, `(${step} of `).then(() => at));
    const at = await Promise.race(begun);
    await sleep(chance.below(30));
    migrates[at]?.kill("SIGKILL");
    expect(await migrates[at]).toMatchObject({ signal: "SIGKILL" });
    const other = await migrates[1 - at];
    expect(other).toMatchObject({ exitCode: 0 });
    expect(appliedBy(other?.stdout ?? ""), other?.stderr).toBe(1);
    // Whoever starts the killed one again has nothing to do.
    const again = await startMigrate(url);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(appliedBy(again.stdout)).toBe(0);
    await expectWell(url, servers);
  }
});

/** Waits, perhaps for ever, until a command says that. */
function hasSaid(running: ReturnType<typeof startMigrate>, words: string): Promise<void> {
  return new Promise((resolve) => {
    let said = "";
    running.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(words)) resolve();
    });
  });
}
