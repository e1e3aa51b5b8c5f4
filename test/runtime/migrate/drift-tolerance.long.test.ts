import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { readExpected } from "../../../runtime/migrate/drift/expected.js";
import { type Drift, findDrift, MigrationError } from "../../../runtime/migrate/index.js";
import { catalogueOf } from "../../support/database/catalogue.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";
import { expectedOf, migratedFixture } from "../../support/database/drift.js";

const none: Drift = { differences: [], unmanaged: [] };
const shop = expectedOf("apps/shop");

let database: TestDatabase;
let clients: pg.Client[] = [];

afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  clients = [];
  await database.drop();
});

test.each(["apps/shop", "apps/northwind", "names", "cases/long-names"])(
  "%s, just migrated, equals the result of its migrations",
  async (fixture) => {
    database = await migratedFixture(fixture);
    expect(await findDrift(database.url, expectedOf(fixture))).toEqual(none);
  },
);

test("the search path of the role makes no difference", async () => {
  database = await migratedFixture("apps/shop");
  for (const path of ["", "service", "pg_temp%2Cpublic", "public%2Cpg_catalog"]) {
    const url = `${database.url}?options=-c%20search_path%3D${path}`;
    expect(await findDrift(url, shop), path).toEqual(none);
  }
});

test("the setting for backslashes in a database makes no difference", async () => {
  database = await migratedFixture("apps/shop");
  const client = await connect();
  const name = new URL(database.url).pathname.slice(1);
  await client.query(`alter database ${name} set standard_conforming_strings = off`);
  expect(await findDrift(database.url, shop)).toEqual(none);
});

test("no writer delays it, and nothing is left behind", async () => {
  database = await migratedFixture("apps/shop");
  const [client, holder] = [await connect(), await connect()];
  const before = await catalogueOf(client);
  await holder.query("begin; lock table products, service.products__tally in exclusive mode");
  expect(await findDrift(database.url, shop)).toEqual(none);
  await holder.query("rollback");
  expect(await catalogueOf(client)).toEqual(before);
  const { rows } = await client.query("select from pg_class where relpersistence = 't'");
  expect(rows).toEqual([]);
});

test("it does not wait long for a table that is being changed", async () => {
  database = await migratedFixture("apps/shop");
  const holder = await connect();
  await holder.query("begin; lock table products");
  await expect(findDrift(database.url, shop)).rejects.toThrow(
    "PostgreSQL refuses: canceling statement due to lock timeout",
  );
});

test("many tables are never locked all at once", async () => {
  database = await emptyDatabase();
  const client = await connect();
  const most = { locks: 0 };
  const db = {
    async query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
      const { rows } = await client.query(text, values && [...values]);
      const held = await client.query("select from pg_locks where pid = pg_backend_pid()");
      most.locks = Math.max(most.locks, held.rows.length);
      return rows;
    },
  };
  const many = Array.from({ length: 100 }, (_, at) => ({
    name: `many_${at}`,
    temporary: `create temporary table many_${at} (id uuid primary key);`,
    links: [],
    tally: null,
    search: null,
    logged: null,
    key: null,
    trash: false,
    followed: false,
    triggers: [],
  }));
  const facts = await readExpected(db, many);
  expect(facts.filter(({ object }) => object === "table")).toHaveLength(100);
  expect(most.locks).toBeGreaterThan(20);
  expect(most.locks).toBeLessThan(100);
});

test("a search index that cannot be built makes no difference", async () => {
  database = await migratedFixture("apps/shop");
  const client = await connect();
  await client.query("drop extension pg_trgm cascade");
  expect(await findDrift(database.url, shop)).toEqual(none);
});

test("the extension of the search indexes may be in a separate schema", async () => {
  database = await migratedFixture("apps/shop");
  const client = await connect();
  await client.query('create schema "Own, one"; alter extension pg_trgm set schema "Own, one"');
  expect(await findDrift(database.url, shop)).toEqual(none);
});

test("handwritten objects are not managed", async () => {
  database = await migratedFixture("apps/shop");
  const client = await connect();
  await client.query(`
    create index products_by_hand on products (price);
    alter table products add column note text, add constraint cheap check (price < 1000000);
    create function touch() returns trigger language plpgsql as 'begin return new; end';
    create trigger touch before update on products for each row execute function touch();
    create table legacy (id serial primary key, name text unique);
    create index legacy_name on legacy (name);
    create view report as select name from products;
    create materialized view figures as select count(*) from products;
    create extension pg_stat_statements;
    alter index products__image__index rename to products_image;
    call service.create_tally('legacy', 'legacy__tally', '{}');
  `);
  expect(await findDrift(database.url, shop)).toEqual({
    differences: [
      {
        table: "products",
        object: "index",
        name: "products__image__index",
        problem: "missing",
        expected: "btree (image)",
        found: null,
      },
    ],
    unmanaged: [
      { table: "products", object: "column", name: "note" },
      { table: "products", object: "constraint", name: "cheap" },
      { table: "products", object: "index", name: "products_by_hand" },
      { table: "products", object: "index", name: "products_image" },
      { table: "products", object: "trigger", name: "touch" },
      { table: "figures", object: "materialized view", name: "figures" },
      { table: "legacy", object: "table", name: "legacy" },
      { table: "report", object: "view", name: "report" },
    ],
  });
});

test("the order of columns and the names of not null make no difference", async () => {
  database = await migratedFixture("apps/shop");
  const client = await connect();
  await client.query(`
    alter table coupons drop column weight;
    alter table coupons add column weight double precision
      constraint coupons__weight__range check (weight > '-Infinity' and weight < 'Infinity');
    alter table coupons alter column terms drop not null, alter column terms set not null;
  `);
  expect(await findDrift(database.url, shop)).toEqual(none);
});

test("before the first migration there is nothing to compare", async () => {
  database = await emptyDatabase();
  expect(await findDrift(database.url, [])).toEqual(none);
});

test.each([
  ["a role without the right to temporary tables", "revoke temporary on database %I from public"],
  ["a database that is only read", "alter database %I set default_transaction_read_only to on"],
])("%s is refused with one sentence", async (_, statement) => {
  database = await migratedFixture("apps/shop");
  const client = await connect();
  const role = `reader_${process.pid}_${statement.length}`;
  await client.query(
    `create role ${role} login password 'reader'; grant pg_read_all_data to ${role}`,
  );
  const url = new URL(database.url);
  await client.query(statement.replace("%I", url.pathname.slice(1)));
  url.username = role;
  url.password = "reader";
  try {
    const error = await findDrift(url.href, shop).catch((caught) => caught);
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toMatch(/^PostgreSQL refuses: (permission denied|cannot execute)/);
    expect(error.hint).toBe("fix that, or run the command as a role with the required privilege");
  } finally {
    await client.query(`drop owned by ${role}; drop role ${role}`);
  }
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}
