import { resolve } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readCurrent } from "../../../generator/output/current.js";
import { parseHistory } from "../../../runtime/values/schema/history/history.js";
import { replay } from "../../../runtime/values/schema/history/replay.js";
import {
  checkName,
  indexName,
  linkName,
  searchName,
} from "../../../runtime/values/schema/object-names.js";
import type { Column, Table } from "../../../runtime/values/schema/schema.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import { migratedFixture } from "../../support/database/drift.js";

let database: TestDatabase;
let db: pg.Client;

async function objectsOn(
  table: string,
  column: string,
  own: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await db.query<{ object: string }>(
    "select object from service.objects_on($1, $2, $3)",
    [table, column, own],
  );
  return rows.map(({ object }) => object);
}

describe("of a table", () => {
  const own = [
    "products__price__range",
    "products__price__index",
    "products__price__unique",
    "products__price__link",
    "products__search",
  ];
  const onPrice = () => objectsOn("products", "price", own);

  beforeAll(async () => {
    database = await createDatabase();
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
    await db.query(`
      create table prices (price numeric primary key);
      create table products (
        id uuid primary key,
        name text,
        cost numeric,
        price numeric not null default 1,
        constraint products__price__range check (price > 0),
        constraint products__price__link foreign key (price) references prices (price)
      );
      create index products__price__index on products (price, id);
      create unique index products__price__unique on products (price);
      create index products__search on products (upper(price::text));
      call service.create_tally('products', 'products__tally', '{"price__1": ["price", "1"]}');
      create function touch() returns trigger language plpgsql
        as 'begin new.price := new.price; return new; end';
      create trigger touch before update on products for each row execute function touch();
    `);
  });
  afterAll(async () => {
    await db.end();
    await database.drop();
  });
  beforeEach(() => db.query("begin"));
  afterEach(() => db.query("rollback"));

  test("its own objects are left out", async () => {
    expect(await onPrice()).toEqual([]);
  });

  test("none of them is its own unless it is named", async () => {
    expect(await objectsOn("products", "price", [])).toEqual([
      "constraint products__price__link on table products",
      "constraint products__price__range on table products",
      "index products__price__index",
      "index products__price__unique",
      "index products__search",
    ]);
  });

  test.each<[string, string, string]>([
    [
      "a check over several columns",
      "alter table products add constraint cheap check (price < cost or name = '')",
      "constraint cheap on table products",
    ],
    [
      "a unique constraint",
      "alter table products add constraint once unique (name, price)",
      "constraint once on table products",
    ],
    [
      "an exclusion",
      "alter table products add constraint apart exclude using btree (price with =)",
      "constraint apart on table products",
    ],
    [
      "a foreign key",
      "alter table products add constraint known foreign key (price) references prices",
      "constraint known on table products",
    ],
    [
      "a foreign key of another table, named like the table's own",
      `create table sales (
         paid numeric constraint products__price__link references products (price)
       )`,
      "constraint products__price__link on table sales",
    ],
    ["an index", "create index mine on products (name, price)", "index mine"],
    [
      "an index that holds it",
      "create index mine on products (name) include (price)",
      "index mine",
    ],
    ["an index by expression", "create index mine on products ((price + cost))", "index mine"],
    ["an index by condition", "create index mine on products (name) where price > 9", "index mine"],
    ["a view", "create view report as select name, price as paid from products", "view report"],
    [
      "a view by its condition, in another schema",
      `create schema other;
       create view other.report as select name from public.products where price > 9`,
      "view other.report",
    ],
    [
      "a materialised view",
      "create materialized view figures as select sum(price) from products",
      "materialized view figures",
    ],
    [
      "a rule",
      `create rule log as on update to products
         do also insert into prices values (new.price) on conflict do nothing`,
      "rule log on table products",
    ],
    [
      "a generated column",
      "alter table products add column gross numeric generated always as (price * 1.2) stored",
      "column gross of table products",
    ],
    [
      "a policy",
      "create policy cheap on products using (price < 9)",
      "policy cheap on table products",
    ],
    [
      "a policy of another table",
      "create policy sold on prices using (price in (select price from products))",
      "policy sold on table prices",
    ],
    [
      "a trigger of updates of it",
      `create trigger dear before update of name, price on products
         for each row execute function touch()`,
      "trigger dear on table products",
    ],
    [
      "a trigger by its condition",
      `create trigger dear before insert on products
         for each row when (new.price > 9) execute function touch()`,
      "trigger dear on table products",
    ],
    [
      "statistics",
      "create statistics pair (dependencies) on name, price from products",
      "statistics object pair",
    ],
    [
      "statistics by expression",
      "create statistics double on (price * 2) from products",
      "statistics object double",
    ],
    [
      "a function that declares its dependencies",
      `create function dearest() returns numeric
         begin atomic select max(price) from products; end`,
      "function dearest()",
    ],
    ["a sequence that it owns", "create sequence steps owned by products.price", "sequence steps"],
    [
      "a column of a publication",
      "create publication news for table products (id, price)",
      "publication of table products in publication news",
    ],
    [
      "privileges of a role",
      `create role "Reader"; grant select (price), update (price) on products to "Reader"`,
      'privileges of "Reader"',
    ],
    ["privileges of all", "grant select (price) on products to public", "privileges of public"],
    [
      "a comment",
      "comment on column products.price is 'in crowns'",
      "comment on column price of table products",
    ],
    [
      "the replica identity",
      "alter table products replica identity using index products__price__unique",
      "replica identity of table products",
    ],
  ])("finds %s", async (_, statement, object) => {
    await db.query(statement);
    expect(await onPrice()).toEqual([object]);
  });

  test("finds nothing that depends on other columns, or on whole rows", async () => {
    await db.query(`
      create view report as select products as one, name from products;
      create index mine on products (name);
      alter table products add constraint named check (name <> '');
      grant select on products to public;
      grant select (name) on products to public;
      comment on column products.name is 'as in the shop';
      comment on table products is 'for sale';
      create trigger named before update of name on products
        for each row execute function touch();
    `);
    expect(await onPrice()).toEqual([]);
  });

  test("lists all, each once and sorted", async () => {
    await db.query(`
      create view report as select price, price + 1 as more from products where price > 2;
      create index mine on products (price, (price + 1)) where price > 3;
      alter table products add constraint cheap check (price < 9 or price > 10);
    `);
    expect(await onPrice()).toEqual([
      "constraint cheap on table products",
      "index mine",
      "view report",
    ]);
  });

  test("a missing column has no objects", async () => {
    await db.query("alter table products drop column cost");
    expect(await objectsOn("products", "cost", [])).toEqual([]);
    expect(await objectsOn("products", "........pg.dropped.3........", [])).toEqual([]);
  });
});

describe.each(["apps/shop", "apps/northwind", "names", "cases/long-names"])("of %s", (fixture) => {
  test("every column has its own objects only", async () => {
    const history = parseHistory(
      readCurrent(resolve(import.meta.dirname, "../../../fixtures", fixture)),
    );
    database = await migratedFixture(fixture);
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
    try {
      let owned = 0;
      for (const table of replay(history).schema.tables) {
        for (const column of table.columns.filter(({ field }) => field !== null)) {
          const own = namesOf(table, column);
          const place = `${table.name}.${column.name}`;
          expect(await objectsOn(table.name, column.name, own), place).toEqual([]);
          expect(await objectsOn(table.name, column.name, []), place).toHaveLength(own.length);
          owned += own.length;
        }
      }
      expect(owned).toBeGreaterThan(0);
    } finally {
      await db.end();
      await database.drop();
    }
  });
});

/** Of the constraints and indexes that a column bears. */
function namesOf(table: Table, { name, check, link }: Column): readonly string[] {
  return [
    ...(check === null ? [] : [checkName(table.name, name, check)]),
    ...(link === null ? [] : [linkName(table.name, name)]),
    ...table.indexes
      .filter(({ keys }) => keys.some(({ column }) => column === name))
      .map((index) => indexName(table.name, index)),
    ...(table.search.includes(name) ? [searchName(table.name)] : []),
  ];
}
