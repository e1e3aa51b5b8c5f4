import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const statement = "select date '2026-03-01' as day, array[date '0001-01-01', null] as days";

test.each(["key", "index", "scan"] as const)(
  "a date is the text YYYY-MM-DD, whatever the machine's zone: %s",
  async (cost) => {
    // The first look-up opens the connection that the second one uses.
    for (const _ of [1, 2, 3]) {
      expect(await db.read({ text: statement, values: [], cost })).toEqual([
        { day: "2026-03-01", days: ["0001-01-01", null] },
      ]);
    }
  },
);

test("a date is such a text within a transaction too", async () => {
  expect(await db.transaction(({ query }) => query(statement))).toEqual([
    { day: "2026-03-01", days: ["0001-01-01", null] },
  ]);
});

test("a moment stays a Date, and exact numbers stay texts", async () => {
  const [row] = await db.query(
    "select timestamptz '2026-03-01T00:00Z' as at, 0.10::numeric(9,2) as price, 9007199254740993 as big, 1 as one",
  );
  expect(row).toEqual({
    at: new Date("2026-03-01T00:00:00Z"),
    price: "0.10",
    big: "9007199254740993",
    one: 1,
  });
});
