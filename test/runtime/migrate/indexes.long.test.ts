import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, newBench } from "../../support/database/migrations.js";

let bench: Bench;

beforeEach(async () => {
  bench = await newBench();
  bench.write(
    "0001_products",
    "create table products (id uuid primary key, name text, price int);",
    "insert into products",
    "select gen_random_uuid(), 'p' || n, n from generate_series(1, 3000) as n;",
  );
});
afterEach(() => bench.drop());

test("rebuilds an index that was left unfinished, and keeps a complete one", async () => {
  await bench.migrate();
  await bench.client
    .query("create unique index concurrently half on products ((1))")
    .catch(() => {});
  expect(await isValid("half")).toBe(false);
  await bench.client.query("create index concurrently whole on products (price)");
  const [whole] = await bench.rows<{ oid: number }>("select 'whole'::regclass::oid as oid");
  bench.write(
    "0002_indexes",
    "-- @index half",
    "create index concurrently half on products (price);",
    "-- @index whole",
    "create index concurrently whole on products (price);",
  );
  await bench.migrate();
  expect(await isValid("half")).toBe(true);
  expect(await bench.rows("select 'whole'::regclass::oid as oid")).toEqual([whole]);
});

test("drops a unique index that cannot be built, and shows how to find the rows", async () => {
  await bench.migrate();
  await bench.client.query("update products set name = 'secret' where price < 3");
  bench.write(
    "0002_unique",
    "",
    "-- @index products__name__unique",
    "create unique index concurrently products__name__unique on products (name);",
  );
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message.split("\n")).toEqual([
    "migrations/0002_unique.sql:3: the unique index products__name__unique cannot be built, because there are duplicate values",
    expect.stringMatching(/^ {2}this statement shows them: select /),
  ]);
  const shown = error.message.split("this statement shows them: ")[1];
  expect(await bench.rows(shown)).toEqual([{ name: "secret", count: "2" }]);
  expect(await isValid("products__name__unique")).toBe(null);
  await bench.client.query("update products set name = price::text");
  await bench.migrate();
  expect(await isValid("products__name__unique")).toBe(true);
});

test("refuses an index whose name belongs to another table's index", async () => {
  bench.write("0002_other", "create table other (id int);", "create index taken on other (id);");
  bench.write("0003_index", "-- @index taken", "create index concurrently taken on products (id);");
  await expect(bench.migrate()).rejects.toThrow(
    "migrations/0003_index.sql:2: an index taken already exists, on the table other",
  );
});

test("refuses a directive that names another index than its statement", async () => {
  bench.write("0002_index", "-- @index one", "create index concurrently two on products (id);");
  await expect(bench.migrate()).rejects.toThrow("created no index called one");
});

async function isValid(index: string): Promise<boolean | null> {
  const [found] = await bench.rows<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('${index}')`,
  );
  return found?.valid ?? null;
}

test("an index in a migration of an earlier release gets the present expression", async () => {
  const [name, price] = ["name", "price::text"].map(
    (text) => `service.fold_case(${text}) gin_trgm_ops`,
  );
  bench.write(
    "0002_search",
    "-- @index products__search with pg_trgm",
    `create index concurrently products__search on products using gin (${name}, ${price});`,
    "-- @index own",
    "create index concurrently own on products (service.fold_case(name));",
  );
  await bench.migrate();
  const definitions = `select array[
    pg_get_indexdef('products__search'::regclass, 1, true),
    pg_get_indexdef('products__search'::regclass, 2, true),
    pg_get_indexdef('own'::regclass, 1, true)
  ] as texts`;
  expect(await bench.rows(definitions)).toEqual([
    {
      texts: [
        "service.fold_text(name)",
        "service.fold_text(price::text)",
        "service.fold_case(name)",
      ],
    },
  ]);
  // As on a database whose last run ended in this file, before the package's migration.
  await bench.client.query(
    `drop index products__search, own;
     alter function service.fold_text(text) rename to later;
     delete from service.migrations where name = '0002_search'`,
  );
  await bench.migrate();
  expect(await bench.rows(definitions)).toEqual([
    {
      texts: [
        "service.fold_case(name)",
        "service.fold_case(price::text)",
        "service.fold_case(name)",
      ],
    },
  ]);
});
