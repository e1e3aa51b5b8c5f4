import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDrift } from "../../../runtime/migrate/index.js";
import type { TestDatabase } from "../../support/database/database.js";
import { expectedOf, migratedFixture } from "../../support/database/drift.js";

const galleries = expectedOf("cases/galleries");

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await migratedFixture("cases/galleries");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client?.end();
  await database?.drop();
});

test("galleries as their migration creates them are not differences", async () => {
  expect(await findDrift(database.url, galleries)).toEqual({ differences: [], unmanaged: [] });
});

test.each<[string, string, object]>([
  [
    "the link to a file",
    "alter table products_photos drop constraint products_photos__target_id__link",
    { object: "constraint", name: "products_photos__target_id__link", problem: "missing" },
  ],
  [
    "a trigger of the gallery",
    "drop trigger products_photos__insert on products",
    { table: "products", object: "trigger", name: "products_photos__insert", problem: "missing" },
  ],
  [
    "the rule that no file is listed twice",
    "alter table products drop constraint products__photos__list",
    { object: "constraint", name: "products__photos__list", problem: "missing" },
  ],
])("%s that is lost is a difference", async (_, statement, difference) => {
  await client.query(statement);
  expect(await findDrift(database.url, galleries)).toEqual({
    differences: [expect.objectContaining(difference)],
    unmanaged: [],
  });
});
