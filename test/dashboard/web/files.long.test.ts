import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Resource, Row } from "../../../runtime/dashboard/web/api/client/types.js";
import { checked } from "../../../runtime/dashboard/web/screens/import/check.js";
import { readTable } from "../../../runtime/dashboard/web/screens/import/csv.js";
import { guessed, withNumbers } from "../../../runtime/dashboard/web/screens/import/mapping.js";
import {
  type ExportFormat,
  exportFile,
} from "../../../runtime/dashboard/web/screens/list/bulk/export-file.js";
import { generatedApp, service } from "../../cli/service.js";
import { removeAppFolder } from "../../support/apps/app-folder.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import type {} from "../../support/database/postgres.js";
import { localTools } from "../../support/processes/tools.js";

const descriptor = `
fields:
  name: { type: string, required: true, unique: true }
  notes: { type: text }
  price: { type: number, decimals: 2, required: true }
  active: { type: boolean }
  day: { type: date }
  at: { type: timestamp }
  teaId: { type: belongsTo, resource: teas }
`;
/** As `GET /_service/resources` describes it. */
const teas: Resource = {
  name: "teas",
  singular: "Tea",
  label: "Teas",
  path: "/api/teas",
  fields: [
    { name: "name", type: "string", required: true, unique: true, maxLength: 255 },
    { name: "notes", type: "text" },
    { name: "price", type: "number", decimals: 2, required: true },
    { name: "active", type: "boolean" },
    { name: "day", type: "date" },
    { name: "at", type: "timestamp" },
    { name: "teaId", type: "belongsTo", resource: "teas" },
  ],
};

let root: string;
let database: TestDatabase;
let db: pg.Client;
/** The records as the API shows them. */
let records: readonly Row[];

const env = () => ({
  DATABASE_URL: database.url,
  SERVICE_SECRET: "a secret of the tests, long enough",
});

beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  root = await generatedApp();
  writeFileSync(join(root, "resources/teas.yaml"), descriptor);
  for (const command of ["generate", "migrate"]) {
    expect(await service(root, [command], { env: env() })).toMatchObject({ exitCode: 0 });
  }
  await execa("tsc", [], { ...localTools, cwd: root });
  const id = (number: number) => `018f0000-0000-7000-8000-00000000010${number}`;
  const long = "long ".repeat(200).trim();
  for (const values of [
    [id(1), "=1+1", `${long}\r\nsecond "line", ;`, 1234.5, true, "2026-01-31", null, null],
    [id(2), "'=x", "\ttab", -0.01, false, null, "2026-02-01T00:00:00.123Z", id(1)],
    [id(3), " spaces ", null, 12, null, null, null, id(2)],
    [id(4), "-5", "''@", 0, true, null, null, null],
  ]) {
    await db.query(
      "insert into teas (id, name, notes, price, active, day, at, tea_id) values ($1,$2,$3,$4,$5,$6,$7,$8)",
      values,
    );
  }
  records = JSON.parse(await exported("all.json"));
  expect(records).toHaveLength(4);
});
afterAll(async () => {
  await db.end();
  await database.drop();
  removeAppFolder(root);
});

async function exported(name: string, ...more: readonly string[]): Promise<string> {
  const file = join(root, name);
  const args = ["export", "teas", "--output", file, ...more];
  expect(await service(root, args, { env: env() })).toMatchObject({ exitCode: 0 });
  return readFileSync(file, "utf8");
}

test.each<[ExportFormat, readonly string[]]>([
  ["exact", []],
  ["json", []],
])("service import reads what the dashboard exports as %s", async (format, more) => {
  const form = exportFile(format, { resource: teas, resources: [teas], columns: teas.fields });
  const text = form.head + form.rows(records.slice(0, 2), 0) + form.rows(records.slice(2), 2);
  const file = join(root, `dashboard-${format}.${form.extension}`);
  writeFileSync(file, text + form.end);
  await db.query("truncate teas");
  const outcome = await service(root, ["import", "teas", file, ...more], { env: env() });
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(await exported("again.json"))).toEqual(records);
});

test("service import reads the dashboard's file for spreadsheets by the names of its columns", async () => {
  const form = exportFile("csv", {
    resource: teas,
    resources: [teas],
    columns: teas.fields.slice(0, 4),
  });
  const file = join(root, "dashboard-people.csv");
  writeFileSync(file, form.head + form.rows(records, 0) + form.end);
  await db.query("truncate teas");
  const map = ["Name=name", "Notes=notes", "Price=price", "Active=active"];
  const args = ["import", "teas", file, "--spreadsheet", ...map.flatMap((one) => ["--map", one])];
  const outcome = await service(root, args, { env: env() });
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  const again = JSON.parse(await exported("again.json")) as readonly Row[];
  const shown = ({ id, name, notes, price, active }: Row) => ({ id, name, notes, price, active });
  expect(again.map(shown)).toEqual(records.map(shown));
});

test.each([
  ["export.csv", []],
  ["spreadsheet.csv", ["--spreadsheet"]],
])("the dashboard reads %s of service export", async (name, more) => {
  const stored = JSON.parse(await exported("stored.json")) as readonly Row[];
  const read = readTable(new TextEncoder().encode(await exported(name, ...more)));
  if (read.kind !== "table") throw new Error(read.reason);
  const mapping = withNumbers(guessed(read.table.head, teas), read.table, teas);
  const { operations, problems } = checked(read.table, {
    ...{ resource: teas, mapping, found: {}, by: null },
  });
  expect(problems).toEqual([]);
  const own = ({ id: _, createdAt: __, updatedAt: ___, ...values }: Row) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  expect(operations.map(({ values }) => values)).toEqual(stored.map(own));
});
