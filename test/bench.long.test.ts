import { join, resolve } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { migrate } from "../runtime/migrate/index.js";
import { difference } from "./bench/compare.js";
import { keepHandWritten } from "./bench/hand-written.js";
import { insertProducts } from "./bench/products.js";
import { hitCounts, searchWords, words } from "./bench/words.js";
import { createDatabase } from "./support/database/database.js";

const migrations = join(resolve(import.meta.dirname, ".."), "fixtures/apps/shop/migrations");

async function withShop(work: (db: pg.Client) => Promise<void>): Promise<void> {
  const database = await createDatabase();
  await migrate({ url: database.url, directory: migrations });
  const db = new pg.Client(database.url);
  await db.connect();
  try {
    await work(db);
  } finally {
    await db.end();
    await database.drop();
  }
}

async function column(db: pg.Client, text: string): Promise<unknown[]> {
  const { rows } = await db.query<unknown[]>({ text, rowMode: "array" });
  return rows.flat();
}

const indexNames = "select indexname from pg_indexes where tablename = 'products' order by 1";

describe("the references' database", () => {
  test("has the handwritten parts, and nothing that only a generator adds", () =>
    withShop(async (db) => {
      await db.query(`
        create function products__count() returns trigger language plpgsql
          as $$ begin return null; end $$;
        create trigger products__counted after insert on products
          for each statement execute function products__count();
        create function products__folded(text) returns text immutable language sql
          return lower($1);
        create index products__words on products
          using gin (to_tsvector('simple', products__folded(name)));
        create index products__statuses on products (status);
        create index products__some on products (category_id) where active`);

      await keepHandWritten(db);

      expect(await column(db, indexNames)).toEqual([
        "products__created_at__index",
        "products__image__index",
        "products__manual__index",
        "products__name__unique",
        "products__pk",
        "products_category_id_idx",
      ]);
      expect(await column(db, "select tgname from pg_trigger where not tgisinternal")).toEqual([]);
      expect(await column(db, "select to_regclass('service.products__tally')")).toEqual([null]);
      expect(
        await column(
          db,
          "select proname from pg_proc where prorettype = 'trigger'::regtype and pronamespace in ('public'::regnamespace, 'service'::regnamespace)",
        ),
      ).toEqual([]);
      await expect(
        db.query(
          "insert into products (id, name, price, category_id) select i, i, 1, i from gen_random_uuid() as i",
        ),
      ).rejects.toThrow("products__category_id__link");
    }));
});

describe("filling the products", () => {
  test("leaves indexes, triggers and foreign keys as they were, and fires every other trigger", () =>
    withShop(async (db) => {
      await db.query(`
        create table seen (rows bigint);
        create function see() returns trigger language plpgsql
          as $$ begin insert into seen select count(*) from added; return null; end $$;
        create trigger sees after insert on products referencing new table as added
          for each statement execute function see()`);
      const before = await column(db, indexNames);

      await insertProducts(db, 2000);

      expect(await column(db, indexNames)).toEqual(before);
      expect(await column(db, "select sum(rows)::integer from seen")).toEqual([2000]);
      expect(await column(db, "select distinct tgenabled from pg_trigger")).toEqual(["O"]);
      expect(
        await column(
          db,
          `select count(*)::integer from products join categories on categories.id = category_id
           where products.name ilike '%zebrawood%' or not active`,
        ),
      ).toEqual([101]);
    }));
});

describe("the words of searches", () => {
  test("have hits in proportion to the rows, and none is part of another", () =>
    withShop(async (db) => {
      const all = hitCounts.flatMap(searchWords);
      expect(new Set(all).size).toBe(400);
      const around = [...all, ...words];
      for (const word of all) {
        expect(around.filter((other) => other.includes(word))).toEqual([word]);
      }

      await insertProducts(db, 10_000);

      await db.query(
        `create table found as
         select word, count(*)::integer as hits
         from products, string_to_table(lower(name), ' ') as word
         group by word`,
      );
      for (const hits of hitCounts) {
        const found = await column(
          db,
          `select coalesce(found.hits, 0) from unnest('{${searchWords(hits)}}'::text[]) as word
           left join found using (word)`,
        );
        expect(found).toHaveLength(100);
        const share = hits / 100;
        const expected = share < 1 ? [0, 1] : [share];
        expect([...new Set(found)].toSorted()).toEqual(expected);
      }
    }));
});

describe("comparing responses", () => {
  test("names the first difference", () => {
    const one = { status: 200, body: { data: [{ id: 1 }, { id: 2 }] } };
    const other = { status: 200, body: { data: [{ id: 1 }, { id: 3 }] } };
    expect(difference(one, other, "answer")).toBe("answer.body.data.1.id is 3, not 2");
  });

  test("detects another order of keys, and missing ones", () => {
    expect(difference({ a: 1, b: 2 }, { b: 2, a: 1 }, "answer")).toBe(
      'answer is {"b":2,"a":1}, not {"a":1,"b":2}',
    );
    expect(difference({ a: 1 }, {}, "answer")).toBe("answer.a is nothing, not 1");
  });

  test("finds no difference if the JSON is the same", () => {
    expect(difference({ a: [1, null] }, { a: [1, null] }, "answer")).toBeNull();
  });
});
