import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { service, starterApp } from "./service.js";

const records = 250;

let root: string;
let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
  const search = "search: { language: english, fields: { name: A }, accents: ignore }";
  const fields = "fields: { name: { type: string, required: true } }";
  writeFileSync(join(root, "resources/order-lines.yaml"), `${search}\n${fields}\n`);
  expect(await service(root, ["generate"])).toMatchObject({ exitCode: 0 });
  expect(await service(root, ["migrate"])).toMatchObject({ exitCode: 0 });
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await db.query(
    `insert into order_lines (id, name)
     select gen_random_uuid(), 'Café ' || number from generate_series(1, ${records}) as number`,
  );
});
afterAll(async () => {
  await db.end();
  await database.drop();
  removeAppFolder(root);
});

/** How many records have a word. */
async function found(word: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from service.order_lines__words where vector @@ $1::tsquery",
    [word],
  );
  return rows[0]?.count ?? 0;
}

test("rebuild indexes the words of every record again", async () => {
  expect(await found("cafe")).toBe(records);
  await db.query("update service.order_lines__words set vector = 'old'");
  await db.query(
    `delete from service.order_lines__words
     where id in (select id from service.order_lines__words limit 100)`,
  );
  const rebuilt = await service(root, ["search", "rebuild", "order-lines"]);
  expect(rebuilt).toMatchObject({ exitCode: 0, stdout: "250 records of order-lines indexed" });
  expect(await found("cafe")).toBe(records);
  expect(await found("old")).toBe(0);
  const all = await service(root, ["search", "rebuild", "--json"]);
  expect(JSON.parse(all.stdout)).toEqual({ "order-lines": records });
});

test("a resource without search is refused", async () => {
  const { exitCode, stderr } = await service(root, ["search", "rebuild", "order-line"]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe('"order-line" has no search\n  hint: did you mean "order-lines"?');
});

test("without the right to create unaccent, migrate continues, and rebuild ignores accents later", async () => {
  const role = `searcher_${randomUUID().slice(0, 8)}`;
  const other = await emptyDatabase();
  const owner = new pg.Client({ connectionString: other.url });
  await owner.connect();
  try {
    await owner.query(`create role ${role} login password 'words'`);
    await owner.query(`create schema service authorization ${role}`);
    await owner.query(`grant create on schema public to ${role}`);
    const url = new URL(other.url);
    Object.assign(url, { username: role, password: "words" });
    const env = { DATABASE_URL: url.href };
    const migrated = await service(root, ["migrate"], { env });
    expect(migrated.exitCode, migrated.stderr).toBe(0);
    expect(migrated.stderr).toContain(
      'Searches distinguish accents: permission denied to create extension "unaccent"',
    );
    expect(migrated.stderr).toContain("run: service search rebuild");
    const ids = async (word: string) => {
      const text = "select id from service.order_lines__words where vector @@ $1::tsquery";
      return (await owner.query(text, [word])).rowCount;
    };
    await owner.query("insert into order_lines (id, name) values (gen_random_uuid(), 'Café')");
    expect([await ids("cafe"), await ids("café")]).toEqual([0, 1]);
    const early = await service(root, ["search", "rebuild"], { env });
    expect(early.exitCode, early.stderr).toBe(0);
    expect(early.stderr).toContain("the extension unaccent is not available");
    expect(await ids("cafe")).toBe(0);

    await owner.query("create extension unaccent schema service");
    expect(await service(root, ["search", "rebuild"], { env })).toMatchObject({ exitCode: 0 });
    expect([await ids("cafe"), await ids("café")]).toEqual([1, 0]);
  } finally {
    await owner.query(`drop owned by ${role} cascade`);
    await owner.end();
    await other.drop();
    await db.query(`drop role ${role}`);
  }
});
