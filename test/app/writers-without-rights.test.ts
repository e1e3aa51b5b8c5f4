import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";

const role = `writer_${process.pid}`;

let app: WrittenApp;
let db: pg.Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["brands.yaml", "trash: true\nfields: { name: { type: string } }\n"],
      ["tags.yaml", "trash: true\nfields: { name: { type: string } }\n"],
      [
        "products.yaml",
        `trash: true
changes: { history: 30 }
search: { fields: { name: A, brand.name: B, tags.name: C } }
fields:
  name: { type: string }
  brandId: { type: belongsTo, resource: brands }
  tagIds: { type: links, resource: tags }
  photos: { type: file, list: true }
`,
      ],
    ]),
  });
  db = new pg.Client({ connectionString: app.config.database.url });
  await db.connect();
  await db.query(`create role ${role}`);
  await db.query(`grant select, insert, update, delete on brands, tags, products to ${role}`);
});
afterAll(async () => {
  await db.query("reset role");
  await db.query(`drop owned by ${role}`);
  await db.query(`drop role ${role}`);
  await db.end();
  await app.close();
});

test("a role that may write the tables needs no right to what their triggers write", async () => {
  await db.query(`set role ${role}`);
  const insert = async (table: string, columns: string, values: readonly unknown[]) => {
    const places = values.map((_, at) => `$${at + 1}`).join(", ");
    const text = `insert into ${table} (id, ${columns}) values (gen_random_uuid(), ${places}) returning id`;
    return (await db.query<{ id: string }>(text, [...values])).rows[0]?.id ?? "";
  };
  const brand = await insert("brands", "name", ["Acme"]);
  const tag = await insert("tags", "name", ["green"]);
  const product = await insert("products", "name, brand_id, tag_ids", ["Tea", brand, [tag]]);
  await db.query("update brands set name = 'Emca'");
  await db.query("update products set name = 'Coffee'");
  await expect(db.query("select from service.trash")).rejects.toThrow("permission denied");
  await db.query("reset role");
  const found = await db.query("select id from service.products__words where vector @@ $1", [
    "coffee & emca & green",
  ]);
  expect(found.rows).toEqual([{ id: product }]);
  await db.query(`set role ${role}`);
  for (const table of ["tags", "products", "brands"]) await db.query(`delete from ${table}`);
  await db.query("reset role");
  const trash = await db.query("select id from service.trash order by table_name");
  expect(trash.rows).toEqual([{ id: brand }, { id: product }, { id: tag }]);
});

test("a role with the right to use the schema executes no function with its owner's rights", async () => {
  await db.query(`grant usage on schema service to ${role}`);
  const open = await db.query(
    `select oid::regprocedure::text as name
     from pg_proc
     where pronamespace = 'service'::regnamespace and prosecdef and has_function_privilege($1, oid, 'execute')
     order by 1`,
    [role],
  );
  expect(open.rows).toEqual([]);
});
