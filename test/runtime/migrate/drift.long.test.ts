import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDrift } from "../../../runtime/migrate/index.js";
import type { TestDatabase } from "../../support/database/database.js";
import { expectedOf, migratedFixture } from "../../support/database/drift.js";

const shop = expectedOf("apps/shop");

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await migratedFixture("apps/shop");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const toCategory = "FOREIGN KEY (category_id) REFERENCES public.categories(id)";
const onDelete =
  "AFTER DELETE ON public.products REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION service.products__tally()";
test.each<[string, string, ...object[]]>([
  [
    "a type",
    "alter table products alter column price type numeric(10, 2)",
    different("column", "price", "numeric(17,2) not null", "numeric(10,2) not null"),
  ],
  [
    "a collation",
    'alter table products alter column description type text collate "C"',
    different("column", "description", 'text collate "und-x-icu"', 'text collate "C"'),
  ],
  [
    "a default",
    "alter table products alter column status set default 'live'",
    different(
      "column",
      "status",
      "text not null default 'draft'::text",
      "text not null default 'live'::text",
    ),
  ],
  [
    "a lost default",
    "alter table products alter column stock drop default",
    different("column", "stock", "bigint default 0", "bigint"),
  ],
  [
    "a lost not null",
    "alter table products alter column name drop not null",
    different("column", "name", 'text collate "und-x-icu" not null', 'text collate "und-x-icu"'),
  ],
  [
    "a not null that is not validated",
    `alter table products alter column name drop not null;
     alter table products add constraint named not null name not valid`,
    different(
      "column",
      "name",
      'text collate "und-x-icu" not null',
      'text collate "und-x-icu" not null not valid',
    ),
  ],
  [
    "a lost column",
    "alter table products drop column sold_out_at",
    missing("column", "sold_out_at", "timestamp(3) with time zone"),
    missing("constraint", "products__sold_out_at__range", expect.stringMatching(/^CHECK/)),
  ],
  [
    "another check",
    `alter table products drop constraint products__price__range,
       add constraint products__price__range check (price > 0)`,
    different(
      "constraint",
      "products__price__range",
      "CHECK (((price >= (0)::numeric) AND (price <> 'NaN'::numeric)))",
      "CHECK ((price > (0)::numeric))",
    ),
  ],
  [
    "a check that is not validated",
    `alter table products drop constraint products__description__length,
       add constraint products__description__length
         check (char_length(description) <= 100000) not valid`,
    different(
      "constraint",
      "products__description__length",
      "CHECK ((char_length(description) <= 100000))",
      "CHECK ((char_length(description) <= 100000)) NOT VALID",
    ),
  ],
  [
    "a link that clears instead of refusing",
    `alter table products drop constraint products__category_id__link,
       add constraint products__category_id__link foreign key (category_id)
         references categories (id) on delete set null`,
    different(
      "constraint",
      "products__category_id__link",
      toCategory,
      `${toCategory} ON DELETE SET NULL`,
    ),
  ],
  [
    "a link that is not validated",
    `alter table products drop constraint products__category_id__link,
       add constraint products__category_id__link foreign key (category_id)
         references categories (id) not valid`,
    different("constraint", "products__category_id__link", toCategory, `${toCategory} NOT VALID`),
  ],
  [
    "a lost primary key",
    "alter table products drop constraint products__pk cascade",
    lostLink("order_items"),
    missing("constraint", "products__pk", "PRIMARY KEY (id)"),
    lostLink("promotions"),
    lostLink("reviews"),
  ],
  [
    "an index in another order",
    `drop index products__created_at__index;
     create index products__created_at__index on products (created_at, id desc)`,
    different(
      "index",
      "products__created_at__index",
      "btree (created_at DESC, id DESC)",
      "btree (created_at, id DESC)",
    ),
  ],
  [
    "an index that is no longer unique",
    `drop index products__name__unique; create index products__name__unique on products (name)`,
    different("index", "products__name__unique", "UNIQUE btree (name)", "btree (name)"),
  ],
  [
    "an invalid index",
    `update pg_index set indisvalid = false
     where indexrelid = 'products__image__index'::regclass`,
    different("index", "products__image__index", "btree (image)", "btree (image) INVALID"),
  ],
  [
    "a lost index",
    "drop index products__manual__index",
    missing("index", "products__manual__index", "btree (manual)"),
  ],
  [
    "a lost search index",
    "drop index products__search",
    missing("index", "products__search", searchIndex("name")),
  ],
  [
    "a search index over something else",
    `drop index products__search;
     update service.search_indexes set columns = '{status}' where table_name = 'products';
     call service.build_search_index('products')`,
    different("index", "products__search", searchIndex("name"), searchIndex("status")),
    different("search", "products__search", "name", "status"),
  ],
  [
    "a lost trigger",
    "drop trigger tally_delete on products",
    missing("trigger", "tally_delete", onDelete),
  ],
  [
    "a link whose trigger is disabled on its own table",
    disableLink("products"),
    different("constraint", "products__category_id__link", toCategory, `${toCategory} DISABLED`),
  ],
  [
    "a link whose trigger is disabled on the other table",
    disableLink("categories"),
    different("constraint", "products__category_id__link", toCategory, `${toCategory} DISABLED`),
  ],
  [
    "a disabled trigger",
    "alter table products disable trigger tally_delete",
    different("trigger", "tally_delete", onDelete, `${onDelete} DISABLED`),
  ],
  [
    "a tally that counts something else",
    `update service.tallies set counts = counts - 'status__live' where table_name = 'products'`,
    different(
      "tally",
      "products__tally",
      expect.stringContaining("live"),
      expect.not.stringContaining("live"),
    ),
  ],
  [
    "a tally whose table lacks a number",
    "alter table service.products__tally drop column status__live",
    different(
      "tally",
      "products__tally",
      expect.stringMatching(/}$/),
      expect.stringMatching(/}, WITHOUT status__live$/),
    ),
  ],
  [
    "a table that a crash empties",
    "alter table reviews set unlogged",
    { ...different("table", "reviews", "table", "unlogged table"), table: "reviews" },
  ],
  [
    "a lost table",
    "drop table products cascade",
    lostLink("order_items"),
    missing("table", "products", "table"),
    lostLink("promotions"),
    lostLink("reviews"),
  ],
  [
    "a view in a table's place",
    "drop table products cascade; create view products as select 1 as id",
    lostLink("order_items"),
    different("table", "products", "table", "view"),
    lostLink("promotions"),
    lostLink("reviews"),
  ],
])("finds %s", async (_, change, ...differences) => {
  await client.query(change);
  expect(await findDrift(database.url, shop)).toEqual({ differences, unmanaged: [] });
});

/** Of products, unless told otherwise. */
function different(object: string, name: string, expected: unknown, found: unknown) {
  return { table: "products", object, name, problem: "different", expected, found };
}

function missing(object: string, name: string, expected: unknown) {
  return { table: "products", object, name, problem: "missing", expected, found: null };
}

/** To products, from another table. */
function lostLink(table: string) {
  const definition = "FOREIGN KEY (product_id) REFERENCES public.products(id)";
  return { ...missing("constraint", `${table}__product_id__link`, definition), table };
}

function searchIndex(column: string): string {
  return `gin (service.fold_text(${column}) public.gin_trgm_ops) WITH (gin_pending_list_limit='2048')`;
}

/** Disables the triggers that keep up the products' categories on one of the two tables. */
function disableLink(table: string): string {
  return `do $$
    declare
      name text;
    begin
      for name in
        select tgname
        from pg_trigger
        join pg_constraint on pg_constraint.oid = tgconstraint
        where tgrelid = '${table}'::regclass and conname = 'products__category_id__link'
      loop
        execute format('alter table ${table} disable trigger %I', name);
      end loop;
    end
  $$`;
}
