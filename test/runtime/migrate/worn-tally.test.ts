import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { catalogueOf } from "../../support/database/catalogue.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import { rare, test } from "../../support/rare.js";

let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

/** As many as a table's tally may count. */
function valuesOf(letter: string): Readonly<Record<string, readonly [string, string]>> {
  const values = Array.from({ length: 200 }, (_, at) => `${letter}${at}`);
  return Object.fromEntries(values.map((value) => [`status__${value}`, ["status", value]]));
}

rare("changing values never use up the columns of a tally", async () => {
  await db.query("create table goods (id int, status text)");
  const empty = await catalogueOf(db);
  await db.query("call service.create_tally('goods', 'goods__tally', $1)", [valuesOf("a")]);
  const made = await catalogueOf(db);
  await db.query("insert into goods values (1, 'a7'), (2, 'b9')");
  const columns: number[] = [];
  for (const letter of "babababa") {
    await db.query("call service.change_tally('goods', 'goods__tally', $1)", [valuesOf(letter)]);
    columns.push(await columnsEver());
    // Lists still say how many there are.
    expect(await total()).toBe(columns.length + 1);
    await db.query("insert into goods values (3, 'a0')");
    await count();
  }
  expect(columns).toEqual([402, 602, 802, 1002, 402, 602, 802, 1002]);

  expect(await catalogueOf(db)).toEqual(made);
  await db.query("call service.drop_tally('goods')");
  expect(await catalogueOf(db)).toEqual(empty);
  await db.query("drop table goods");
});

/** With those that are dropped. */
async function columnsEver(): Promise<number> {
  const { rows } = await db.query(
    "select max(attnum) as most from pg_attribute where attrelid = 'service.goods__tally'::regclass",
  );
  return rows[0].most;
}

async function total(): Promise<number> {
  return (await db.query("select sum(total)::int as total from service.goods__tally")).rows[0]
    .total;
}

async function count(): Promise<void> {
  const { rows } = await db.query("select service.uncounted_numbers('goods') as numbers");
  await db.query("call service.add_numbers('goods', $1)", [rows[0].numbers]);
  expect((await db.query("select * from service.wrong_counts()")).rows).toEqual([]);
}

test("a recreated tally keeps its owner and its readers", async () => {
  const [owner, reader] = [`owner_${process.pid}`, `"reader ""${process.pid}"""`];
  await db.query("create table goods (id int, status text)");
  await db.query("call service.create_tally('goods', 'goods__tally', '{}')");
  await db.query(`
    create role ${owner};
    create role ${reader};
    alter table service.goods__tally owner to ${owner};
    grant select on service.goods__tally to ${reader} with grant option;
    grant select, update on service.goods__tally to public`);
  try {
    const before = await rights();
    await db.query("call service.remake_slots('goods__tally')");
    expect(await rights()).toEqual(before);
  } finally {
    await db.query("call service.drop_tally('goods')");
    await db.query(`drop table goods; drop role ${owner}; drop role ${reader}`);
  }
});

async function rights(): Promise<unknown> {
  const { rows } = await db.query(
    `select relowner, relacl::text[] from pg_class where oid = 'service.goods__tally'::regclass`,
  );
  return rows[0];
}
