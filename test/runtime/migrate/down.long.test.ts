import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrationStatus } from "../../../runtime/migrate/index.js";
import { type Bench, newBench } from "../../support/database/migrations.js";

let bench: Bench;

beforeEach(async () => {
  bench = await newBench();
  for (const [at, table] of ["one", "two", "three"].entries()) {
    bench.write(`000${at + 1}_${table}`, `create table ${table} (id int);`);
    bench.write(`down/000${at + 1}_${table}`, `drop table ${table};`);
  }
});
afterEach(() => bench.drop());

const ofApp = (name: string) => ({ source: "app", name });

test("undoes the migration that was applied last, and applies it again", async () => {
  await bench.migrate();
  expect(await bench.undo()).toEqual({ undone: [ofApp("0003_three")], toUndo: [] });
  expect(await tables()).toEqual(["one", "two"]);
  expect((await bench.migrate()).applied).toEqual([ofApp("0003_three")]);
  expect(await tables()).toEqual(["one", "three", "two"]);
});

test("undoes all migrations applied after the one that stays, newest first", async () => {
  bench.write("0002_two", "create table two (id int); create table extra (id int);");
  bench.write("down/0002_two", "drop table two; drop table extra;");
  await bench.migrate();
  const { undone } = await bench.undo({ to: "0001" });
  expect(undone).toEqual([ofApp("0003_three"), ofApp("0002_two")]);
  expect(await tables()).toEqual(["one"]);
});

test.each(["0000", "0"])(
  "--to %s undoes all of the app's, and none of the package's",
  async (to) => {
    await bench.migrate();
    expect((await bench.undo({ to })).undone).toHaveLength(3);
    expect(await tables()).toEqual([]);
    expect(await bench.rows("select id from service.users")).toEqual([]);
    expect(await bench.undo()).toEqual({ undone: [], toUndo: [] });
  },
);

test("follows the order in which they were applied, not their numbers", async () => {
  await bench.migrate();
  bench.write("0002_merged", "create table merged (id int);");
  bench.write("down/0002_merged", "drop table merged;");
  await bench.migrate();
  await expect(bench.undo({ to: "0002" })).rejects.toThrow("0002 matches 0002_two and 0002_merged");
  expect((await bench.undo({ to: "0003_three.sql" })).undone).toEqual([ofApp("0002_merged")]);
  expect((await bench.undo({ to: "2" })).undone).toEqual([ofApp("0003_three")]);
});

test("undoes nothing if one of them cannot be undone, and names the reason", async () => {
  bench.write(
    "0004_drop",
    "-- Drops.",
    "-- No way back: it drops the table one",
    "drop table one;",
  );
  bench.write("0005_hand", "select 1;");
  await bench.migrate();
  const error = await bench.undo({ to: "0002" }).catch((caught) => caught);
  expect(error.message.split("\n")).toEqual([
    "migrations/0005_hand.sql cannot be undone: there is no migrations/down/0005_hand.sql",
    "migrations/0004_drop.sql cannot be undone: it drops the table one",
  ]);
  expect(await tables()).toEqual(["three", "two"]);
  await expect(bench.undo({ to: "0009" })).rejects.toThrow(
    "No migration 0009 of the app is applied",
  );
});

test("only prints in a dry run what it would undo", async () => {
  await bench.migrate();
  expect(await bench.undo({ to: "2", dryRun: true })).toEqual({
    undone: [],
    toUndo: [{ ...ofApp("0003_three"), sql: "drop table three;\n" }],
  });
  expect(await tables()).toEqual(["one", "three", "two"]);
});

test("first counts rows on which undoing would fail", async () => {
  bench.write(
    "down/0003_three",
    "-- @check rows of three",
    "select * from three;",
    "-- @alone",
    "drop table three;",
  );
  await bench.migrate();
  await bench.client.query("insert into three values (1), (2)");
  const error = await bench.undo().catch((caught) => caught);
  expect(error.message).toMatch("migrations/down/0003_three.sql:1: 2 rows of three");
  expect(error.hint).toBe(
    "nothing of this migration was undone; fix those rows and run npx service migrate --down again; or, if they may go, delete that check from the file",
  );
  await bench.client.query("delete from three");
  expect((await bench.undo()).undone).toHaveLength(1);
});

test("first counts for all of them, on the schema that each will have", async () => {
  const id = "id uuid primary key default gen_random_uuid()";
  bench.write("0004_things", `create table things (${id}, a text, b text);`);
  bench.write(
    "down/0004_things",
    "-- @check rows of things",
    "select * from things where c = 'x';",
    "-- @transaction",
    "drop table things;",
  );
  bench.write("0005_rename", "alter table things rename column b to d;");
  bench.write(
    "down/0005_rename",
    "-- @transaction",
    "alter table things rename column d to c;",
    "-- @index things__c",
    "create index concurrently things__c on things (c);",
    "-- @batches things",
    "update things set c = a where id >= $1 and id <= $2;",
    "-- @alone",
    "drop index concurrently things__c;",
  );
  bench.write("0006_gone", "drop table one;");
  bench.write("down/0006_gone", "create table one (id int);");
  await bench.migrate();
  await bench.client.query("insert into things (a) values ('x'), ('y')");
  const error = await bench.undo({ to: "0003" }).catch((caught) => caught);
  expect(error.message).toMatch(/^migrations\/down\/0004_things\.sql:1: 1 row of things\n/);
  expect(error.hint).toMatch(/^nothing was undone; /);
  expect((await migrationStatus(bench)).applied.at(-1)).toEqual(ofApp("0006_gone"));
  expect(await tables()).toEqual(["things", "three", "two"]);
  expect(await bench.rows("select d from things where d is not null")).toEqual([]);

  await bench.client.query("update things set a = 'z'");
  expect((await bench.undo({ to: "0003" })).undone).toHaveLength(3);
  expect(await tables()).toEqual(["one", "three", "two"]);
});

test("undoes none if a later one fails before the last that is counted", async () => {
  bench.write(
    "down/0001_one",
    "-- @check rows of one",
    "select * from one;",
    "-- @alone",
    "drop table one;",
  );
  bench.write("down/0002_two", "drop table twoo;");
  await bench.migrate();
  const error = await bench.undo({ to: "0000" }).catch((caught) => caught);
  expect(error.message).toBe('migrations/down/0002_two.sql:1: table "twoo" does not exist');
  expect(error.hint).toBe("nothing was undone; fix it and run npx service migrate --down again");
  expect(await tables()).toEqual(["one", "three", "two"]);
});

test("two concurrent runs undo one migration, not two", async () => {
  await bench.migrate();
  const both = await Promise.all([bench.undo(), bench.undo()]);
  expect(both.map(({ undone }) => undone.length).toSorted()).toEqual([0, 1]);
  expect(await tables()).toEqual(["one", "two"]);
});

test.each([
  [
    ["selec 1;"],
    "nothing of this migration was undone, but those applied after it were; fix it and",
  ],
  [["-- @alone", "select 1;", "-- @alone", "selec 1;"], "what is done of this file stays; fix"],
  [["-- @alone extra", "drop table three;"], "fix it and"],
  [
    ["-- @index same", "create unique index concurrently same on three (id);"],
    "fix those rows and",
  ],
])("reports that --down continues an unfinished undo: %j", async (lines, words) => {
  bench.write("down/0003_three", ...lines);
  await bench.migrate();
  await bench.client.query("insert into three values (1), (1)");
  const { hint } = await bench.undo().catch((caught) => caught);
  expect(hint).toMatch(words);
  expect(hint).toMatch("run npx service migrate --down again");
});

test("migrate finishes a partly undone migration, then applies it again", async () => {
  const first = ["-- @transaction", "drop table three;", "-- @transaction"];
  bench.write("down/0003_three", ...first, "selec 1;");
  await bench.migrate();
  await expect(bench.undo()).rejects.toThrow("migrations/down/0003_three.sql:4: syntax error");
  const { applied, pending } = await migrationStatus(bench);
  expect(applied.at(-1)).toEqual(ofApp("0002_two"));
  expect(pending).toEqual([
    { ...ofApp("0003_three"), halfDone: { direction: "down", done: 1, steps: 2 } },
  ]);
  await expect(bench.undo({ to: "0003" })).rejects.toThrow(
    "migrations/0003_three.sql is partly undone",
  );
  bench.write("down/0003_three", ...first, "select 1;");
  bench.write("0002_merged", "create table merged (id int);");
  const dry = await bench.migrate({ dryRun: true });
  expect(dry.pending.map(({ name, halfDone }) => [name, halfDone?.direction])).toEqual([
    ["0003_three", "down"],
    ["0002_merged", undefined],
    ["0003_three", undefined],
  ]);
  expect(dry.pending.at(-1)?.sql).toBe("create table three (id int);\n");
  const warnings: string[] = [];
  const result = await bench.migrate({ onWarning: (warning) => warnings.push(warning) });
  expect(result.applied).toEqual([ofApp("0002_merged"), ofApp("0003_three")]);
  expect(warnings).toEqual(["migrations/0003_three.sql was partly undone; that is finished first"]);
  expect(await tables()).toEqual(["merged", "one", "three", "two"]);
});

test("refuses if the file of a partly undone migration is missing", async () => {
  bench.write("down/0003_three", "-- @transaction", "drop table three;", "-- @alone", "selec 1;");
  await bench.migrate();
  await expect(bench.undo()).rejects.toThrow("syntax error");
  rmSync(join(bench.directory, "down/0003_three.sql"));
  const looks = [() => bench.migrate(), () => bench.migrate({ dryRun: true })];
  for (const look of [...looks, () => migrationStatus(bench)]) {
    await expect(look()).rejects.toThrow(
      "migrations/0003_three.sql is partly undone, but migrations/down/0003_three.sql is missing",
    );
  }
});

test("--down continues with a partly undone migration", async () => {
  const first = ["-- @transaction", "drop table three;", "-- @transaction"];
  bench.write("down/0003_three", ...first, "selec 1;");
  await bench.migrate();
  await expect(bench.undo()).rejects.toThrow("syntax error");
  bench.write("down/0003_three", ...first, "select 1;");
  expect((await bench.undo()).undone).toEqual([ofApp("0003_three")]);
});

test("undoes nothing while one is partly applied", async () => {
  bench.write(
    "0004_new",
    "-- @transaction",
    "create table four ();",
    "-- @transaction",
    "selec 1;",
  );
  await expect(bench.migrate()).rejects.toThrow("syntax error");
  const error = await bench.undo().catch((caught) => caught);
  expect(error.message).toBe("migrations/0004_new.sql is partly applied");
  expect(error.hint).toBe("run npx service migrate first: it finishes applying the file");
});

async function tables(): Promise<readonly string[]> {
  const found = await bench.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return found.map(({ name }) => name);
}
