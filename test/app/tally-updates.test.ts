import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { migratedDatabase, type TestDatabase } from "../support/database/database.js";

const migrations = join(import.meta.dirname, "../../fixtures/apps/shop/migrations");
const category = "00000000-0000-7000-8000-000000000001";

let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  database = await migratedDatabase(migrations);
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await db.query("insert into categories (id, name) values ($1, 'All')", [category]);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => {
  await db.query("truncate products cascade");
  await db.query(
    `insert into products (id, name, price, category_id)
     select gen_random_uuid(), 'p' || n, n, $1 from generate_series(1, 10) as n`,
    [category],
  );
});
afterEach(async () => {
  expect(await wrong()).toEqual([]);
});

async function wrong(): Promise<readonly unknown[]> {
  return (await db.query("select * from service.wrong_counts()")).rows;
}

async function statuses(): Promise<unknown> {
  const { rows } = await db.query(
    `select sum(status__draft)::int as draft, sum(status__live)::int as live,
       sum(status__gone)::int as gone
     from service.products__tally`,
  );
  return rows[0];
}

/** Runs the work in a transaction in which whatever reads or writes the slots fails. */
async function withoutSlots(work: () => Promise<unknown>): Promise<void> {
  await db.query("begin; drop table service.products__tally");
  try {
    await work();
  } finally {
    await db.query("rollback");
  }
}

test.each([
  "update products set price = 2, updated_at = now()",
  "update products set status = status, active = active",
  "update products set status = 'live' where false",
  "insert into products select * from products on conflict (id) do update set price = 3",
  "merge into products using generate_series(1, 5) as n on name = 'p' || n when matched then update set stock = n",
])("an update that changes no counted value does not read the tally: %s", (text) =>
  withoutSlots(() => db.query(text)),
);

test("an update that changes a counted value does", () =>
  withoutSlots(() =>
    expect(db.query("update products set status = 'live' where name = 'p1'")).rejects.toThrow(
      "products__tally",
    ),
  ));

test("a table of which only the total is counted has no trigger for updates", async () => {
  const { rows } = await db.query(
    `select tgname from pg_trigger
     where tgrelid = 'order_items'::regclass and tgname like 'tally%' order by 1`,
  );
  expect(rows.map(({ tgname }) => tgname)).toEqual([
    "tally_delete",
    "tally_insert",
    "tally_truncate",
  ]);
});

test("counts a row that a trigger of the app changes before it is stored", async () => {
  await db.query(`
    create function public.publish() returns trigger language plpgsql as $$
      begin
        if new.price > 5 then new.status := 'live'; end if;
        return new;
      end $$;
    create trigger publish before update on products for each row execute function publish()`);
  try {
    await db.query("update products set price = price + 1");
    expect(await statuses()).toEqual({ draft: 4, live: 6, gone: 0 });
  } finally {
    await db.query("drop function public.publish() cascade");
  }
});

// In the order of their names: one runs before the package's own, one after.
test.each(["a_first", "z_last"])(
  "counts rows of the table that the trigger %s changes meanwhile",
  async (name) => {
    await db.query(`
      create function public.spread() returns trigger language plpgsql as $$
        begin
          if old.status = 'draft' and new.status = 'live' and new.name = 'p1' then
            update products set status = 'gone' where name in ('p8', 'p9');
            update products set price = 0 where name = 'p7';
            begin
              update products set status = 'gone';
              raise exception 'undone';
            exception when raise_exception then null;
            end;
          end if;
          return null;
        end $$;
      create trigger ${name} after update on products for each row execute function spread()`);
    try {
      await db.query("update products set status = 'live' where name < 'p5'");
      expect(await statuses()).toEqual({ draft: 3, live: 5, gone: 2 });
    } finally {
      await db.query("drop function public.spread() cascade");
    }
  },
);

test("counts rows that two parts of one statement change", async () => {
  await db.query(
    `with one as (update products set status = 'live' where name in ('p1', 'p2') returning id),
       other as (update products set price = 9 where name = 'p3'),
       more as (delete from products where name = 'p4')
     update products set status = 'gone' where name = 'p5'`,
  );
  expect(await statuses()).toEqual({ draft: 6, live: 2, gone: 1 });
});

test("counts the rows that a transaction with savepoints keeps", async () => {
  await db.query("begin");
  await db.query("savepoint one");
  await db.query("update products set status = 'gone'");
  await db.query("rollback to one");
  await db.query("update products set status = 'live' where name = 'p1'");
  await db.query("savepoint two");
  await db.query("update products set price = 1");
  await db.query("update products set status = 'gone' where name = 'p2'");
  await db.query("release two");
  await db.query("commit");
  expect(await statuses()).toEqual({ draft: 8, live: 1, gone: 1 });
});

test("counts links that follow a key or are cleared with it", async () => {
  await db.query(`
    create table kinds (name text primary key);
    create table things (
      id int, kind text references kinds on update cascade on delete set null
    );
    call service.create_tally('things', 'things__tally', '{"a": ["kind", "a"], "b": ["kind", "b"]}');
    insert into kinds values ('a'), ('b'), ('c');
    insert into things select n, chr(97 + n % 3) from generate_series(1, 30) as n`);
  await db.query("delete from kinds where name in ('b', 'c')");
  expect(await wrong()).toEqual([]);
  await db.query("update kinds set name = 'b'");
  const { rows } = await db.query(
    "select sum(total)::int as total, sum(a)::int as a, sum(b)::int as b from service.things__tally",
  );
  expect(rows).toEqual([{ total: 30, a: 0, b: 10 }]);
});

test("a role that may only write the table needs no right to the counts", async () => {
  const role = `updater_${process.pid}`;
  await db.query(`create role ${role}; grant update, select on products to ${role}`);
  try {
    await db.query(`set role ${role}`);
    await db.query("update products set status = 'live' where name = 'p1'");
    await db.query("reset role");
    expect(await statuses()).toEqual({ draft: 9, live: 1, gone: 0 });
  } finally {
    await db.query("reset role");
    await db.query(`drop owned by ${role}; drop role ${role}`);
  }
});
