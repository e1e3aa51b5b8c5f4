import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  db = await connected();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function readsAs(value: string | null, type: string): Promise<boolean> {
  const { rows } = await db.query("select service.reads_as($1, $2) as reads", [value, type]);
  return rows[0].reads;
}

const cases: readonly [type: string, reads: readonly string[], refused: readonly string[]][] = [
  ["bigint", ["0", "-9223372036854775808", " 7 "], ["", "1.5", "9223372036854775808", "seven"]],
  ["double precision", ["1e3", "-0.5", "NaN"], ["", "1,5", "1e400"]],
  ["numeric(17, 2)", ["1.234", "999999999999999.99"], ["1e15", "999999999999999.999", "x"]],
  ["numeric(15,0)", ["1"], ["1000000000000000"]],
  ["boolean", ["true", "f", "yes", "1"], ["", "maybe", "2"]],
  ["date", ["2024-02-29"], ["2023-02-29", "", "someday"]],
  ["timestamptz(3)", ["2024-02-29T12:00:00.123Z"], ["2024-02-29T25:00:00Z", "noon"]],
  ["uuid", ["01890000-0000-7000-8000-000000000001"], ["01890000", ""]],
  ["text", ["", "anything"], []],
];

describe.each(cases)("%s", (type, reads, refused) => {
  test.each(reads)("reads %j", async (value) => {
    expect(await readsAs(value, type)).toBe(true);
  });
  test.each(refused)("refuses %j", async (value) => {
    expect(await readsAs(value, type)).toBe(false);
  });
  test("reads null", async () => {
    expect(await readsAs(null, type)).toBe(true);
  });
});

test("knows its types with any setting for backslashes", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await db.query(`alter database ${name} set standard_conforming_strings = off`);
  const before = db;
  // What a connection has read of a function, it does not read again.
  db = await connected();
  try {
    for (const [type, [value = ""]] of cases) expect(await readsAs(value, type), type).toBe(true);
  } finally {
    await db.end();
    db = before;
    await db.query(`alter database ${name} reset standard_conforming_strings`);
  }
});

test.each(["regclass", "bigint; drop table users", "text)", "bigint\n", ""])(
  "does not know the type %j",
  async (type) => {
    await expect(readsAs("1", type)).rejects.toThrow("service.reads_as knows no type");
  },
);
