import { afterEach, beforeEach, expect, test } from "vitest";
import { migrationStatus } from "../../../runtime/migrate/index.js";
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

test("does the steps in order and records the whole file", async () => {
  bench.write(
    "0002_steps",
    "create table logs (at serial, what text);",
    "-- @index products__name__unique",
    "create unique index concurrently products__name__unique on products (name);",
    "-- @batches products",
    "update products set price = price + 1 where id > $1 and id <= $2;",
    "-- @alone",
    "vacuum logs;",
    "-- @transaction",
    "insert into logs (what) select sum(price)::text from products;",
  );
  const reported: string[] = [];
  await bench.migrate({
    onProgress: ({ path, step, steps, what }) => reported.push(`${path} ${step}/${steps} ${what}`),
  });
  expect(reported.slice(1)).toEqual([
    "migrations/0002_steps.sql 1/5 transaction",
    "migrations/0002_steps.sql 2/5 index products__name__unique",
    "migrations/0002_steps.sql 3/5 batches of products",
    "migrations/0002_steps.sql 4/5 alone",
    "migrations/0002_steps.sql 5/5 transaction",
  ]);
  expect(await bench.rows("select what from logs")).toEqual([{ what: "4504500" }]);
  expect(await bench.rows("select * from service.migration_steps")).toEqual([]);
  expect(
    await bench.rows(
      "select indisvalid as valid from pg_index where indisunique and indrelid = 'products'::regclass",
    ),
  ).toEqual([{ valid: true }, { valid: true }]);
});

test("reports every mistake of form with its line, and applies nothing", async () => {
  bench.write("0002_new", "-- @frobnicate", "select 1;", "-- @index", "select 1;");
  bench.write(
    "0003_new",
    "-- @tally",
    "select 1;",
    "-- @alone",
    "-- only a comment",
    "-- @breaking",
  );
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message.split("\n")).toEqual([
    "migrations/0002_new.sql:1: @frobnicate is not a directive; the directives are @breaking, @check, @schema, @transaction, @index, @adopt, @alone, @batches, @tally and @steps",
    "migrations/0002_new.sql:3: this line must read: -- @index <name>, or @index <name> with pg_trgm",
    "migrations/0003_new.sql:1: this line must read: -- @tally <table>",
    "migrations/0003_new.sql:3: there is no SQL below @alone",
    "migrations/0003_new.sql:5: @breaking belongs at the top of the file, above every step",
  ]);
  expect(await bench.rows("select to_regclass('products') as products")).toEqual([
    { products: null },
  ]);
});

test("refuses statements that would end a step's transaction, before anything is applied", async () => {
  const body = "do $$ begin perform 1; end $$;";
  const saved = ["savepoint here;", "Rollback to here;", "release here;"];
  bench.write("0002_new", "Begin;", body, ...saved, "COMMIT;", "start transaction;", "select 1;");
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message.split("\n")).toEqual([
    'migrations/0002_new.sql:1: leave out "begin": steps begin and end their transactions themselves',
    'migrations/0002_new.sql:6: leave out "commit": steps begin and end their transactions themselves',
    'migrations/0002_new.sql:7: leave out "start": steps begin and end their transactions themselves',
  ]);
  bench.write("0002_new", body, ...saved);
  expect((await bench.migrate()).applied).toHaveLength(2);
});

test("finds the line in a later step, and continues from there once it is corrected", async () => {
  const first = ["-- @transaction", "create table one (id int);"];
  bench.write("0002_new", ...first, "-- @transaction", "create table two (id int);", "selec 1;");
  await expect(bench.migrate()).rejects.toThrow(
    'migrations/0002_new.sql:5: syntax error at or near "selec"',
  );
  const { pending } = await migrationStatus(bench);
  expect(pending).toEqual([
    { source: "app", name: "0002_new", halfDone: { direction: "up", done: 1, steps: 2 } },
  ]);
  bench.write("0002_new", ...first, "-- @transaction", "create table three (id int);");
  const { applied } = await bench.migrate();
  expect(applied).toEqual([{ source: "app", name: "0002_new" }]);
  expect(
    await bench.rows("select to_regclass('two') as two, to_regclass('three') as three"),
  ).toEqual([{ two: null, three: "three" }]);
  expect((await bench.migrate()).applied).toEqual([]);
});

test("refuses a step that was changed or removed after it had been done", async () => {
  const second = ["-- @transaction", "selec 1;"];
  bench.write("0002_new", "-- Head", "-- @transaction", "create table one ();", ...second);
  await expect(bench.migrate()).rejects.toThrow("syntax error");
  const other = ["", "-- A comment above the next step", ...second];
  bench.write("0002_new", "-- Head", "-- @transaction", "create table one ();", ...other);
  await expect(bench.migrate()).rejects.toThrow("migrations/0002_new.sql:7: syntax error");
  bench.write("0002_new", "-- Head", "-- @transaction", "create table uno ();", ...second);
  for (const dryRun of [false, true]) {
    await expect(bench.migrate({ dryRun })).rejects.toThrow(
      "migrations/0002_new.sql:3: step 1 was changed after it was applied to this database",
    );
  }
  bench.write("0002_new", "-- Nothing is left");
  await expect(bench.migrate()).rejects.toThrow(
    "migrations/0002_new.sql: its step 1 was removed after it was applied to this database",
  );
});

test("finishes a partly applied migration before it begins another", async () => {
  const first = ["-- @transaction", "create table one (id int);", "-- @transaction"];
  bench.write("0003_new", ...first, "selec 1;");
  await expect(bench.migrate()).rejects.toThrow("syntax error");
  bench.write("0002_merged", "select 1;");
  bench.write("0003_new", ...first, "select 1;");
  const { applied } = await bench.migrate();
  expect(applied.map(({ name }) => name)).toEqual(["0003_new", "0002_merged"]);
});

test("counts rows on which a migration would fail, and refuses it all at once", async () => {
  bench.write(
    "0002_required",
    "-- @check rows of products hold a low price",
    "select id from products where price < 4;",
    "-- @check rows of products have no name at all",
    "select id from products",
    "where name is null; -- none",
    "-- @check rows of products are the dearest",
    "select id",
    "from products where price = 3000;",
    "",
    "-- @transaction",
    "create table never ();",
  );
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message.split("\n")).toEqual([
    "migrations/0002_required.sql:1: 3 rows of products hold a low price",
    "  this statement shows them: select id from products where price < 4;",
    "migrations/0002_required.sql:6: 1 row of products is the dearest",
    "  this statement shows them:",
    "    select id",
    "    from products where price = 3000;",
  ]);
  expect(await bench.rows("select to_regclass('never') as never")).toEqual([{ never: null }]);
  await bench.client.query("delete from products where price < 4 or price = 3000");
  await bench.migrate();
  expect(await bench.rows("select * from never")).toEqual([]);
});

test("does not check a partly applied migration again, as it may have created the rows", async () => {
  const head = ["-- @check rows hold no name", "select id from products where name is null;"];
  const first = ["-- @transaction", "update products set name = null;", "-- @transaction"];
  bench.write("0002_new", ...head, ...first, "selec 1;");
  await expect(bench.migrate()).rejects.toThrow("syntax error");
  bench.write("0002_new", ...head, ...first, "select 1;");
  expect((await bench.migrate()).applied).toHaveLength(1);
});

test("names the line of a check that is not a query", async () => {
  bench.write("0002_new", "", "-- @check rows", "select 1", "from nothing;");
  await expect(bench.migrate()).rejects.toThrow(
    'migrations/0002_new.sql:4: relation "nothing" does not exist',
  );
});

test.each(["batches", "tally"])(
  "names the line of @%s of a table that does not exist",
  async (kind) => {
    bench.write(
      "0002_new",
      "-- Some more",
      "-- of a head",
      `-- @${kind} nothing`,
      "",
      "select $1, $2;",
    );
    await expect(bench.migrate()).rejects.toThrow(
      'migrations/0002_new.sql:5: relation "public.nothing" does not exist',
    );
  },
);

test("accepts names that SQL must quote", async () => {
  bench.write("0002_order", 'create table "order" (id uuid primary key);');
  bench.write(
    "0003_order",
    "-- @index order_id",
    'create index concurrently order_id on "order" (id);',
    '-- @batches "order"',
    'update "order" set id = id where id > $1 and id <= $2;',
    "-- @batches order",
    'update "order" set id = id where id > $1 and id <= $2;',
  );
  expect((await bench.migrate()).applied).toHaveLength(3);
});
