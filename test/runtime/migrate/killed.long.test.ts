import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { catalogueOf } from "../../support/database/catalogue.js";
import { type Bench, newBench } from "../../support/database/migrations.js";
import { startMigrate } from "../../support/processes/migrate-process.js";

const path = "migrations/0002_ten.sql";
const rows = 3000;

const products = `
create table products (id uuid primary key, name text not null, price int, status text);
insert into products
select md5(n::text)::uuid, 'p' || n, n, case when n % 3 = 0 then 'live' else 'draft' end
from generate_series(1, ${rows}) as n;
create index products_price on products (price);
call service.create_tally('products', 'products__tally', '{}');
create table slow (yes boolean);
create function take_time() returns boolean language plpgsql as $$
begin
  perform pg_sleep(0.001) from slow;
  return true;
end
$$;`;

/** Twice the rest would show in the data: each batch adds one. */
const ten = `
-- @check rows of products have no price
select id from products where price is null;
-- @transaction
alter table products add column rank int;
-- @index products__name__unique
create unique index concurrently products__name__unique on products (name);
-- @batches products
update products set rank = coalesce(rank, 0) + 1 where id > $1 and id <= $2 and take_time();
-- @transaction
alter table products add constraint products__rank__required check (rank is not null) not valid;
-- @transaction
alter table products validate constraint products__rank__required;
-- @transaction
alter table products alter column rank set not null, drop constraint products__rank__required;
-- @index products__name__search with pg_trgm
create index concurrently products__name__search on products using gin (name gin_trgm_ops);
-- @tally products
call service.change_tally('products', 'products__tally', '{"status__live": ["status", "live"]}');
-- @alone
drop index concurrently if exists products_price;
-- @transaction
create table finished (at serial, rows bigint);
insert into finished (rows) select count(*) from products;`;

const back = `
-- @transaction
drop table finished;
-- @index products_price
create index concurrently products_price on products (price);
-- @tally products
call service.change_tally('products', 'products__tally', '{}');
-- @alone
drop index concurrently if exists products__name__search;
-- @alone
drop index concurrently if exists products__name__unique;
-- @batches products
update products set price = price where id > $1 and id <= $2;
-- @transaction
alter table products drop column rank;`;

let whole: Outcome;
let before: Outcome;
beforeAll(async () => {
  [before, whole] = await withBench(async (bench) => {
    const first = await outcomeOf(bench);
    await bench.migrate();
    return [first, await outcomeOf(bench)] as const;
  });
});

/** The steps before which one run is killed. */
const alone = Array.from({ length: 10 }, (_, at) => at + 1);

test.each(alone)("killed before step %i, the next run finishes", (step) =>
  withBench(async (bench) => {
    const { signal } = await startMigrate(bench, { path, killBefore: step });
    expect(signal).toBe("SIGKILL");
    expect((await bench.migrate()).applied).toHaveLength(1);
    expect(await outcomeOf(bench)).toEqual(whole);
  }),
);

test("killed before each step in turn, it still finishes", () =>
  withBench(async (bench) => {
    for (let step = 1; step <= 10; step += 1) {
      const { signal } = await startMigrate(bench, { path, killBefore: step });
      expect(signal).toBe("SIGKILL");
    }
    expect((await startMigrate(bench)).exitCode).toBe(0);
    expect(await outcomeOf(bench)).toEqual(whole);
  }));

test("killed within its batches, it continues after the last committed one", () =>
  withBench(async (bench) => {
    await bench.client.query("insert into slow values (true)");
    const run = startMigrate(bench);
    await expect
      .poll(() => bench.rows("select 1 from service.migration_steps where position is not null"), {
        interval: 5,
      })
      .toHaveLength(1);
    run.kill("SIGKILL");
    expect((await run).signal).toBe("SIGKILL");
    const [done] = await bench.rows<{ some: boolean; all: boolean }>(
      "select bool_or(rank = 1) as some, bool_and(rank is not null) as all from products",
    );
    expect(done).toEqual({ some: true, all: false });
    await bench.client.query("delete from slow");
    await bench.migrate();
    // No row was done twice.
    expect(await bench.rows("select distinct rank from products")).toEqual([{ rank: 1 }]);
    expect(await outcomeOf(bench)).toEqual(whole);
  }));

test("an index whose build was cut off is rebuilt", () =>
  withBench(async (bench) => {
    const reader = await bench.connect();
    await reader.query("begin isolation level repeatable read");
    // Its snapshot is what the build waits for at its end.
    await reader.query("select 1");
    const run = bench.migrate().catch((caught) => caught);
    const half = `select indexrelid::regclass::text as name from pg_index
      where not indisvalid and indrelid = 'products'::regclass`;
    await expect.poll(() => bench.rows(half)).toEqual([{ name: "products__name__unique" }]);
    await bench.cutOthers(reader);
    const error = await run;
    expect(error.message).toMatch(/^migrations\/0002_ten\.sql:7: /);
    expect(error.hint).toBe(
      "the connection was lost: run npx service migrate again, it continues where it was interrupted",
    );
    await reader.query("rollback");
    expect(await bench.rows(half)).toEqual([{ name: "products__name__unique" }]);
    await bench.migrate();
    expect(await outcomeOf(bench)).toEqual(whole);
  }));

test("killed while PostgreSQL builds an index, the next run waits for that index and uses it", () =>
  withBench(async (bench) => {
    const reader = await bench.connect();
    await reader.query("begin isolation level repeatable read");
    await reader.query("select 1");
    const killed = startMigrate(bench);
    const index = `select indexrelid::int as oid from pg_index
      where indexrelid = to_regclass('products__name__unique')`;
    await expect.poll(() => bench.rows(index)).toHaveLength(1);
    const built = await bench.rows(index);
    killed.kill("SIGKILL");
    expect((await killed).signal).toBe("SIGKILL");
    const warnings: string[] = [];
    const run = bench.migrate({ onWarning: (warning) => warnings.push(warning) });
    await expect.poll(() => warnings).toHaveLength(1);
    await reader.query("rollback");
    await run;
    expect(await bench.rows(index)).toEqual(built);
    expect(await outcomeOf(bench)).toEqual(whole);
  }));

test("cut off repeatedly at any moment, it finishes", () =>
  withBench(async (bench) => {
    for (let round = 0; round < 25; round += 1) {
      const run = bench.migrate().catch(() => {});
      await sleep(Math.random() * 150);
      await bench.cutOthers();
      await run;
    }
    await bench.migrate();
    expect(await outcomeOf(bench)).toEqual(whole);
  }));

test("an undo killed before each step in turn is finished", () =>
  withBench(async (bench) => {
    bench.write("down/0002_ten", back);
    await bench.migrate();
    const way = { way: "undoMigrations", path: "migrations/down/0002_ten.sql" } as const;
    for (let step = 1; step <= 7; step += 1) {
      const { signal } = await startMigrate(bench, { ...way, killBefore: step });
      expect(signal).toBe("SIGKILL");
    }
    expect((await bench.undo()).undone).toHaveLength(1);
    expect(await outcomeOf(bench)).toEqual(before);
    await bench.migrate();
    expect(await outcomeOf(bench)).toEqual(whole);
  }));

interface Outcome {
  readonly catalogue: readonly string[];
  readonly data: readonly unknown[];
  readonly wrong: readonly unknown[];
  readonly finished: readonly unknown[];
}

async function outcomeOf(bench: Bench): Promise<Outcome> {
  const catalogue = await catalogueOf(bench.client);
  const isFinished = catalogue.some((line) => line.startsWith("table public.finished:"));
  return {
    catalogue,
    data: await bench.rows("select to_jsonb(products) from products order by id"),
    wrong: await bench.rows("select * from service.wrong_counts()"),
    finished: isFinished ? await bench.rows("select * from finished") : [],
  };
}

/** Ten steps are pending on a table with rows. */
async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const bench = await newBench();
  try {
    bench.write("0001_products", products);
    await bench.migrate();
    await bench.client.query("create extension pg_trgm");
    bench.write("0002_ten", ten);
    return await work(bench);
  } finally {
    await bench.drop();
  }
}
