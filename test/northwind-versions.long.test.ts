import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usualTable } from "../generator/model/names.js";
import {
  type ChangedApp,
  type Descriptors,
  freshLentDump,
  newChangedApp,
  problemText,
  refusalText,
  wrongCounts,
} from "./support/apps/changed-app.js";
import { insertRows, type KnownRows } from "./support/apps/known-rows.js";
import { northwindRows } from "./support/apps/northwind.js";
import {
  type Facts,
  factValues,
  firstFacts,
  nextVersion,
  type Version,
  versions,
} from "./support/apps/northwind-versions.js";
import { borrowDatabase } from "./support/database/lent-database.js";

const northwind = join(import.meta.dirname, "../fixtures/apps/northwind");

let app: ChangedApp;
let descriptors: Descriptors;
let facts: Facts = firstFacts;
/** Table → how many rows it has. */
const counts = new Map<string, number>();
/** By version, of those that can be gone back to. */
const dumps = new Map<number, readonly string[]>();
let rowsOfFour: KnownRows;

beforeAll(async () => {
  app = await newChangedApp(await borrowDatabase());
  // Rows that are corrected by hand have to be equal afterwards, as to when they were changed too.
  await app.client.query("set service.keeps_updated_at to on");
  const folder = join(northwind, "resources");
  const files = readdirSync(folder).map(
    (file) => [file, readFileSync(join(folder, file), "utf8")] as const,
  );
  descriptors = new Map(files);
  expect(problemText(await app.generate(descriptors))).toBe("");
  await app.migrate();
  const rows = await northwindRows(join(northwind, "data"));
  await insertRows(app.client, rows);
  for (const [table, ofTable] of Object.entries(rows)) counts.set(table, ofTable.length);
});
afterAll(() => app.close());

describe("Northwind with its data, version after version", () => {
  test("1: unchanged", () => expectVersion(1));

  test.each(versions.map((version, at) => [at + 2, version.what, version] as const))(
    "%i: %s",
    async (number, _what, version) => {
      descriptors = nextVersion(descriptors, version);
      facts = { ...facts, ...version.facts };
      for (const [from, to] of Object.entries(version.renamed ?? {})) {
        counts.set(usualTable(to), counts.get(usualTable(from)) ?? 0);
        counts.delete(usualTable(from));
      }
      for (const name of Object.keys(version.added ?? {})) counts.set(usualTable(name), 0);
      await release(version);
      await expectVersion(number);
      if (number === 4) rowsOfFour = await allRows();
    },
  );

  test("goes back to version 4 with every row, and no further, because a column was dropped", async () => {
    const names = await app.undo("0004");
    expect(names.map((name) => name.slice(0, 4))).toEqual([
      "0013",
      "0012",
      "0011",
      "0010",
      "0009",
      "0008",
      "0007",
      "0006",
      "0005",
    ]);
    expect(await app.dump()).toEqual(dumps.get(4));
    expect(await wrongCounts(app.client)).toEqual([]);
    const [refused] = versions.flatMap(({ refusal }) => refusal ?? []);
    const text = await refusalText(app.undo());
    expect(text).toContain("the values of products.discontinued cannot be restored");
    await app.client.query(refused?.undoFix ?? "");
    expect(await allRows()).toEqual(rowsOfFour);
    await app.client.query(refused?.fix ?? "");
  });

  test("migrates to version 13 again", async () => {
    expect(await app.migrate()).toHaveLength(9);
    await expectVersion(13);
    expect(await app.dump()).toEqual(dumps.get(13));
  });
});

async function release({ consent, byHand, refusal }: Version): Promise<void> {
  if (consent !== undefined) {
    const { problems } = await app.generate(descriptors);
    expect(problems).not.toEqual([]);
  }
  const generated = await app.generate(descriptors, consent);
  expect(problemText(generated)).toBe("");
  expect(generated.remarks).toEqual([]);
  const { migration } = generated;
  if (byHand !== undefined) {
    appendFileSync(join(app.root, `migrations/${migration}.sql`), `\n${byHand}\n`);
  }
  if (refusal !== undefined) {
    expect(await refusalText(app.migrate())).toContain(refusal.says);
    await app.client.query(refusal.fix);
  }
  expect(await app.migrate()).toEqual([migration]);
}

async function expectVersion(number: number): Promise<void> {
  const dump = await app.dump();
  expect(dump).toEqual(await freshLentDump(descriptors));
  dumps.set(number, dump);
  expect(await wrongCounts(app.client)).toEqual([]);
  for (const [table, count] of counts) {
    expect(await single(`select count(*) from ${table}`), table).toBe(String(count));
  }
  const found = Object.entries(facts).map(async ([name, sql]) => [name, await single(sql)]);
  expect(Object.fromEntries(await Promise.all(found))).toEqual(factValues);
  expect(await app.generate(descriptors)).toMatchObject({ migration: null, plan: { writes: [] } });
  expect(await app.migrate()).toEqual([]);
}

async function single(sql: string): Promise<string> {
  const { rows } = await app.client.query({ text: sql, rowMode: "array" });
  return String(rows[0]?.[0]);
}

async function allRows(): Promise<KnownRows> {
  const { rows: tables } = await app.client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const found: Record<string, KnownRows[string]> = {};
  for (const { name } of tables) {
    const { rows } = await app.client.query(
      `select to_jsonb(_row) as row from ${name} as _row order by id`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
