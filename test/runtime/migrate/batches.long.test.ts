import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, newBench } from "../../support/database/migrations.js";
import { startWrites } from "../../support/database/write-load.js";

const rows = 1000;

let bench: Bench;
beforeEach(async () => {
  bench = await newBench();
  bench.write(
    "0001_products",
    "create table products (id uuid primary key, name text, rank int, sold int default 0);",
    "insert into products select md5(n::text)::uuid, 'Product ' || n",
    `from generate_series(1, ${rows}) as n;`,
  );
  await bench.migrate();
  bench.write(
    "0002_rank",
    "-- @batches products",
    "update products set rank = coalesce(rank, 0) + 1 where id > $1 and id <= $2;",
  );
});
afterEach(() => bench.drop());

test("a batch that takes long releases its rows, and is repeated as smaller ones", async () => {
  await bench.client.query(
    `create function take_time() returns trigger language plpgsql
       as 'begin perform pg_sleep(0.001); return new; end';
     create trigger take_time before update of rank on products
       for each row execute function take_time()`,
  );
  const load = await startWrites({
    url: bench.url,
    writers: 3,
    pauseMs: 5,
    next: () => ({
      text: "update products set sold = sold + 1 where name = $1",
      values: [`Product ${Math.ceil(Math.random() * rows)}`],
    }),
  });
  await bench.migrate();
  await load.stop();
  expect(load.errors).toEqual([]);
  expect(load.times.length).toBeGreaterThan(100);
  expect(await bench.rows("select distinct rank from products")).toEqual([{ rank: 1 }]);
});

test("a batch of one row may take long", async () => {
  await bench.client.query(
    `delete from products where name <> 'Product 1';
     create function take_time() returns trigger language plpgsql
       as 'begin perform pg_sleep(0.4); return new; end';
     create trigger take_time before update on products
       for each row execute function take_time()`,
  );
  await bench.migrate();
  expect(await bench.rows("select rank from products")).toEqual([{ rank: 1 }]);
});

test("batches leave a search index sorted, so that no write has to sort it", async () => {
  await bench.client.query(
    `create extension pg_trgm;
     create extension pgstattuple;
     create index searched on products using gin (name gin_trgm_ops);
     update products set name = name || '!'`,
  );
  const pending = () => bench.rows("select pending_tuples from pgstatginindex('searched')");
  expect(await pending()).not.toEqual([{ pending_tuples: "0" }]);
  await bench.migrate();
  expect(await pending()).toEqual([{ pending_tuples: "0" }]);
});
