import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nfc } from "../../../runtime/values/text.js";
import { type Bench, newBench } from "../../support/database/migrations.js";

const other = "Cafe\u0301";
const composed = "Caf\u00e9";
const sql = readFileSync("runtime/migrate/sql/0037_nfc.sql", "utf8");
const steps = sql.slice(sql.indexOf("-- @steps"));

let bench: Bench;
beforeAll(async () => {
  bench = await newBench();
  bench.write(
    "0001_goods",
    `create table "my goods" (
      id uuid primary key,
      name text collate "und-x-icu" not null,
      shop text collate "und-x-icu",
      note text collate "und-x-icu",
      key text,
      updated_at timestamptz(3) not null default now(),
      constraint note_length check (char_length(note) > 1)
    );
    create unique index goods__name on "my goods" (name);
    create unique index goods__shop on "my goods" (shop, note);`,
    "call service.create_tally('my goods', 'goods__tally', '{}');",
    "call service.log_changes('my goods', 'my-goods');",
  );
  await bench.migrate();
});
afterAll(() => bench.drop());

const id = (at: number) => `00000000-0000-0000-0000-${String(at).padStart(12, "0")}`;

test("SQL normalises every text as the servers do", async () => {
  const texts = fc
    .sample(fc.string({ unit: "binary", maxLength: 30 }), { numRuns: 2_000, seed: 1 })
    .flatMap((text) => [text, `${text}\u{2f81a}${text}`])
    // A newer Unicode knows more of them.
    .filter((text) => !/[\0\p{Cn}]/u.test(text) && text.isWellFormed());
  const { rows } = await bench.client.query<{ text: string; made: string }>(
    "select text, service.nfc(text) as made from unnest($1::text[]) as text",
    [texts],
  );
  expect(rows.filter(({ text, made }) => made !== nfc(text))).toEqual([]);
});

test("stored texts are normalised to NFC without a trace; those that would collide stay and are named", async () => {
  const rows = [
    [1, other, null, null],
    [2, composed, null, null],
    [3, "Tee", other, `${other} \uf900`],
    [4, "Mate\u0301", other, "e\u0301"],
    [5, "Ke\u0301fir", "Oslo", other],
    [6, "Milk", "Oslo", composed],
    [7, "Water", "Bergen", composed],
    [8, "\uf900", null, null],
  ];
  await bench.client.query(
    `insert into "my goods" select r.id, r.name, r.shop, r.note, r.name, '2020-01-01'
     from json_to_recordset($1) as r (id uuid, name text, shop text, note text)`,
    [
      JSON.stringify(
        rows.map(([at, name, shop, note]) => ({ id: id(Number(at)), name, shop, note })),
      ),
    ],
  );
  await bench.client.query("insert into service.users (id, name, email) values ($1, $2, 'a@b.c')", [
    id(9),
    other,
  ]);
  const changes = "select count(*)::int as count from service.changes_new";
  const [before] = await bench.rows(changes);
  const warnings: string[] = [];
  bench.write("0002_nfc", steps);
  await bench.migrate({ onWarning: (warning) => warnings.push(warning) });
  expect(
    await bench.rows(
      `select array[name, shop, note] as texts, key <> name as moved, updated_at = '2020-01-01' as kept
       from "my goods" order by id`,
    ),
  ).toEqual([
    { texts: [other, null, null], moved: false, kept: true },
    { texts: [composed, null, null], moved: false, kept: true },
    { texts: ["Tee", composed, `${composed} \uf900`], moved: false, kept: true },
    { texts: ["Mat\u00e9", composed, "e\u0301"], moved: true, kept: true },
    { texts: ["K\u00e9fir", "Oslo", other], moved: true, kept: true },
    { texts: ["Milk", "Oslo", composed], moved: false, kept: true },
    { texts: ["Water", "Bergen", composed], moved: false, kept: true },
    { texts: ["\uf900", null, null], moved: false, kept: true },
  ]);
  expect(warnings).toEqual([
    `my goods.name of ${id(1)} stays as it is: in Unicode NFC it would be that of ${id(2)}`,
    `my goods.note of ${id(4)} stays as it is, not in Unicode NFC: the table refuses the other form`,
    `my goods.note of ${id(5)} stays as it is: in Unicode NFC it would be that of ${id(6)}`,
  ]);
  expect(await bench.rows(changes)).toEqual([before]);
  expect(await bench.rows("select name from service.users")).toEqual([{ name: composed }]);
});

test("twenty of many are named, and the number of the others", async () => {
  await bench.client.query(
    `truncate "my goods";
     insert into "my goods" (id, name)
     select md5(at || form)::uuid, case form when 'c' then '${composed}' else '${other}' end || at
     from generate_series(1, 30) as at, unnest('{c,d}'::text[]) as form`,
  );
  const warnings: string[] = [];
  bench.write("0003_again", steps);
  await bench.migrate({ onWarning: (warning) => warnings.push(warning) });
  expect(warnings.length).toBe(21);
  expect(warnings.at(-1)).toBe("my goods.name: 10 more texts stay as they are, not in Unicode NFC");
});
