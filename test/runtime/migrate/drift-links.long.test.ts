import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDrift } from "../../../runtime/migrate/index.js";
import type { TestDatabase } from "../../support/database/database.js";
import { expectedOf, migratedFixture } from "../../support/database/drift.js";

const lists = expectedOf("cases/links-many");

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await migratedFixture("cases/links-many");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client?.end();
  await database?.drop();
});

test("lists of links as their migration creates them are not differences", async () => {
  expect(await findDrift(database.url, lists)).toEqual({ differences: [], unmanaged: [] });
});

test.each<[string, string, object]>([
  [
    "a table of entries",
    "drop table products_tag_ids",
    { table: "products_tag_ids", object: "table", name: "products_tag_ids", problem: "missing" },
  ],
  [
    "the index of targets",
    "drop index products_tag_ids__target_id__record_id__index",
    { object: "index", name: "products_tag_ids__target_id__record_id__index", problem: "missing" },
  ],
  [
    "the link to a record",
    "alter table products_tag_ids drop constraint products_tag_ids__record_id__link",
    { object: "constraint", name: "products_tag_ids__record_id__link", problem: "missing" },
  ],
  [
    "what happens to a target",
    `alter table products_tag_ids drop constraint products_tag_ids__target_id__link,
       add constraint products_tag_ids__target_id__link foreign key (target_id) references tags (id)`,
    {
      object: "constraint",
      name: "products_tag_ids__target_id__link",
      problem: "different",
      found: "FOREIGN KEY (target_id) REFERENCES public.tags(id)",
    },
  ],
  [
    "a trigger of the list",
    "drop trigger products_tag_ids__update on products",
    { table: "products", object: "trigger", name: "products_tag_ids__update", problem: "missing" },
  ],
  [
    "a trigger of the entries",
    "drop trigger entries_delete on products_tag_ids",
    { table: "products_tag_ids", object: "trigger", name: "entries_delete", problem: "missing" },
  ],
  [
    "the trigger that keeps deleted entries",
    "drop trigger entries_trash on products_tag_ids",
    { table: "products_tag_ids", object: "trigger", name: "entries_trash", problem: "missing" },
  ],
  [
    "the trigger of targets that cannot be deleted",
    'drop trigger "B_products_category_ids" on tags',
    { table: "tags", object: "trigger", name: "B_products_category_ids", problem: "missing" },
  ],
])("%s that is lost is a difference", async (_, statement, difference) => {
  await client.query(statement);
  expect(await findDrift(database.url, lists)).toEqual({
    differences: [expect.objectContaining(difference)],
    unmanaged: [],
  });
});
