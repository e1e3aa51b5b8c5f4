import { afterAll, beforeAll, expect, test } from "vitest";
import type { Column, Table } from "../../../runtime/resource/index.js";
import { jsonOf, readShownMembers } from "../../../runtime/resource/table/record-json.js";
import { borrowDatabase, type LentDatabase } from "../../support/database/lent-database.js";

const names = Array.from({ length: 120 }, (_, at) => `f${at}`);
const columns: Readonly<Record<string, Column>> = {
  id: { name: "id", kind: "id", required: true },
  ...Object.fromEntries(
    names.map((name) => [name, { name, kind: "string", required: true }] as const),
  ),
  createdAt: { name: "created_at", kind: "timestamp", required: true },
  updatedAt: { name: "updated_at", kind: "timestamp", required: true },
};
const table = { name: "wide", columns } as unknown as Table<unknown>;

let database: LentDatabase;
beforeAll(async () => {
  database = await borrowDatabase();
  const own = names.map((name) => `${name} text not null default '${name} "}{,'`);
  await database.client.query(`create table wide (id int primary key, ${own.join(", ")})`);
  await database.client.query("insert into wide (id) values (1)");
});
afterAll(() => database.drop());

test.each([1, 50, 51, 120])("%i fields are one record", async (count) => {
  const shown = names.slice(0, count);
  const members = readShownMembers(table, shown, () => {}) ?? [];
  const { rows } = await database.client.query(
    `select ${jsonOf(members)}::text as record from wide`,
  );
  const expected = { id: 1, ...Object.fromEntries(shown.map((name) => [name, `${name} "}{,`])) };
  expect(JSON.parse(rows[0].record)).toEqual(expected);
  expect(Object.keys(JSON.parse(rows[0].record))).toEqual(["id", ...shown]);
});

const long = "a".repeat(63);

test.each([
  ["keys beyond the 63 bytes of a column's name", ["id", long, `${long}File`, `${long}Fil`]],
  ["more members than a row has columns", Array.from({ length: 1_700 }, (_, at) => `m${at}`)],
])("a record has %s", async (_, keys) => {
  const members = keys.map((key, at) => ({ key, value: `${at}` }));
  const record = jsonOf(members);
  const { rows } = await database.client.query(
    `select ${record}::text as record, array_to_json(array[${record}])::text as list`,
  );
  const expected = keys.map((key, at) => [key, at]);
  expect(Object.entries(JSON.parse(rows[0].record))).toEqual(expected);
  expect(JSON.parse(rows[0].list)).toEqual([Object.fromEntries(expected)]);
});
