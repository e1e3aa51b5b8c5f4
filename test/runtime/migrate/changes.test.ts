import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: pg.Client;
/** The package's own. */
let before: unknown[];
beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  before = await madeForTallies();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
afterEach(async () => {
  expect(await madeForTallies()).toEqual(before);
});

/** Slots, and functions of triggers. */
async function madeForTallies(): Promise<unknown[]> {
  const { rows } = await db.query(
    `select relname from pg_class where relnamespace = 'service'::regnamespace and relname ~ 'slot'
     union all
     select proname
     from pg_proc
     where pronamespace = 'service'::regnamespace and prorettype = 'trigger'::regtype
     order by 1`,
  );
  return rows;
}

type Counts = Readonly<Record<string, readonly [column: string, value: string]>>;

interface Tallied {
  readonly table: string;
  readonly tally: string;
  /** For `create table`. */
  readonly columns: string;
  readonly counts: Counts;
}

const goods: Tallied = {
  table: "goods",
  tally: "goods__tally",
  columns: "id int primary key, status text, sold boolean",
  counts: {
    status__live: ["status", "live"],
    status__gone: ["status", "gone"],
    sold__true: ["sold", "true"],
  },
};

async function create({ table, tally, columns, counts }: Tallied): Promise<void> {
  await db.query(`create table "${table}" (${columns})`);
  await db.query("call service.create_tally($1, $2, $3)", [table, tally, JSON.stringify(counts)]);
}

async function drop({ table }: Tallied): Promise<void> {
  await db.query(`drop table "${table}"`);
  await db.query("call service.drop_tally($1)", [table]);
}

/** Everything that bears the name of the tally, or is made from what it counts. */
async function catalogue({ table, tally }: Tallied): Promise<unknown> {
  const { rows } = await db.query(
    `select
       to_jsonb(register) as register,
       array(
         select attname || format_type(atttypid, atttypmod) || attnotnull
         from pg_attribute
         where attrelid = tally and attnum > 0 and not attisdropped
         order by 1
       ) as columns,
       array(
         select conname || ' ' || pg_get_constraintdef(oid)
         from pg_constraint
         where conrelid = tally
         order by 1
       ) as constraints,
       array(select indexrelid::regclass::text from pg_index where indrelid = tally) as indexes,
       pg_get_serial_sequence(tally::text, 'slot') as sequence,
       (
         select jsonb_agg(jsonb_build_array(proname, pg_get_functiondef(oid), proacl))
         from pg_proc
         where pronamespace = 'service'::regnamespace and proname = $2
       ) as functions,
       array(
         select pg_get_triggerdef(oid)
         from pg_trigger
         where tgrelid = format('public.%I', $1::text)::regclass
         order by 1
       ) as triggers
     from
       (select format('service.%I', $2::text)::regclass as tally) as named,
       (select * from service.tallies where table_name = $1) as register`,
    [table, tally],
  );
  expect(rows).toHaveLength(1);
  return rows[0];
}

/** Compares what is there with what a new count gives. */
async function expectAsNew(tallied: Tallied): Promise<void> {
  const changed = await catalogue(tallied);
  await drop(tallied);
  await create(tallied);
  expect(changed).toEqual(await catalogue(tallied));
  await drop(tallied);
}

test("a tally with changed counts equals one created with them", async () => {
  await create(goods);
  await db.query("insert into goods values (1, 'live', true), (2, 'sold', false)");
  const counts: Counts = {
    status__live: ["status", "live"],
    status__sold: ["status", "sold"],
    status__a: ["status", "a"],
  };
  await change({ ...goods, counts });
  expect(await sums("goods__tally", Object.keys(counts))).toEqual({
    total: 2,
    status__live: 1,
    status__sold: 1,
    status__a: 0,
  });
  await expectAsNew({ ...goods, counts });
});

test("a table that never had a tally gets one that counts its rows", async () => {
  await db.query(`create table goods (${goods.columns})`);
  await db.query("insert into goods select n, 'live', n > 3 from generate_series(1, 5) as n");
  await change(goods);
  expect(await sums("goods__tally", ["status__live", "sold__true"])).toEqual({
    total: 5,
    status__live: 5,
    sold__true: 2,
  });
  await expectAsNew(goods);
});

async function change({ table, tally, counts }: Tallied): Promise<void> {
  await db.query("call service.change_tally($1, $2, $3)", [table, tally, JSON.stringify(counts)]);
  const { rows } = await db.query("select service.uncounted_numbers($1) as numbers", [table]);
  await db.query("call service.add_numbers($1, $2)", [table, rows[0].numbers]);
  await expectExact();
}

async function expectExact(): Promise<void> {
  expect((await db.query("select * from service.wrong_counts()")).rows).toEqual([]);
}

async function sums(tally: string, counts: readonly string[]): Promise<unknown> {
  const numbers = ["total", ...counts].map((name) => `sum("${name}")::int as "${name}"`);
  return (await db.query(`select ${numbers.join(", ")} from service."${tally}"`)).rows[0];
}

test("a renamed table keeps its tally", async () => {
  await create(goods);
  await db.query("insert into goods values (1, 'live', true)");
  await db.query("alter table goods rename to wares");
  await db.query("call service.rename_tally('goods', 'wares', 'wares__tally')");
  await db.query("insert into wares values (2, 'live', false)");
  await expectExact();
  await expectAsNew({ ...goods, table: "wares", tally: "wares__tally" });
});

test("names over 63 bytes are truncated as PostgreSQL does, with a number if they collide", async () => {
  const former = { ...goods, table: "f".repeat(63), tally: `${"f".repeat(58)}tally` };
  const renamed = { ...goods, table: "r".repeat(63), tally: `${"r".repeat(58)}tally` };
  const beside = { ...goods, tally: `${"r".repeat(58)}Tally` };
  await create(former);
  await create(beside);
  await db.query(`alter table "${former.table}" rename to "${renamed.table}"`);
  await rename(former, renamed);
  expect(await catalogue(renamed)).toMatchObject({ indexes: [`service.${"r".repeat(57)}_pkey1`] });
  await expectAsNew(renamed);
  await drop(beside);
});

test("a tally whose truncated names stay the same keeps them", async () => {
  const former = { ...goods, tally: `${"r".repeat(58)}tally` };
  const renamed = { ...goods, table: "wares", tally: `${"r".repeat(58)}other` };
  await create(former);
  await db.query("alter table goods rename to wares");
  await rename(former, renamed);
  await expectAsNew(renamed);
});

function rename(former: Tallied, { table, tally }: Tallied): Promise<unknown> {
  return db.query("call service.rename_tally($1, $2, $3)", [former.table, table, tally]);
}

test("a renamed column keeps its counts", async () => {
  await create(goods);
  await db.query("insert into goods values (1, 'live', true)");
  await db.query("alter table goods rename column status to state");
  await db.query("call service.rename_counts('goods', 'status', 'state', $1)", [
    { status__live: "state__live", status__gone: "state__gone" },
  ]);
  await db.query("insert into goods values (2, 'gone', true)");
  await expectExact();
  await expectAsNew({
    ...goods,
    columns: "id int primary key, state text, sold boolean",
    counts: {
      state__live: ["state", "live"],
      state__gone: ["state", "gone"],
      sold__true: ["sold", "true"],
    },
  });
});

test("a count that is not finished yet keeps its state under its new name", async () => {
  await create(goods);
  await db.query("insert into goods values (1, 'live', true), (2, 'new', true)");
  const counts = JSON.stringify({ status__new: ["status", "new"] });
  await db.query("call service.change_tally('goods', 'goods__tally', $1)", [counts]);
  await db.query("alter table goods rename to wares");
  await db.query("call service.rename_tally('goods', 'wares', 'wares__tally')");
  await db.query("alter table wares rename column status to state");
  await db.query("call service.rename_counts('wares', 'status', 'state', $1)", [
    { status__new: "state__new" },
  ]);
  const { rows } = await db.query("select service.uncounted_numbers('wares') as numbers");
  expect(rows).toEqual([{ numbers: { state__new: 1 } }]);
  await db.query("call service.add_numbers('wares', $1)", [rows[0].numbers]);
  await expectExact();
  await drop({ ...goods, table: "wares" });
});

test("a tally is dropped before its table, after it, or without one", async () => {
  await create(goods);
  await drop(goods);
  await create(goods);
  await db.query("call service.drop_tally('goods')");
  await db.query("insert into goods values (1, 'live', true)");
  await drop(goods);
});
