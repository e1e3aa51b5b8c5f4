import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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
  db = await connected();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => {
  await db.query("truncate categories cascade");
  await db.query("insert into categories (id, name) values ($1, 'All')", [category]);
});
afterEach(async () => {
  expect(await wrong()).toEqual([]);
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function wrong(): Promise<readonly unknown[]> {
  return (await db.query("select * from service.wrong_counts()")).rows;
}

/** What the tally of products says. */
async function tally(): Promise<Record<string, number>> {
  const { rows } = await db.query(
    `select
       sum(total)::int as total,
       sum(status__draft)::int as draft,
       sum(status__live)::int as live,
       sum(status__gone)::int as gone,
       sum(active__true)::int as active,
       sum(active__false)::int as passive
     from service.products__tally`,
  );
  return rows[0];
}

const insertSome = `
  insert into products (id, name, price, category_id, status, active)
  select gen_random_uuid(), $1 || n, 1, '${category}', (array['draft', 'live'])[n % 2 + 1], n % 5 > 0
  from generate_series(1, $2) as n`;

test("counts all rows and each value of the enums and booleans", async () => {
  await db.query(insertSome, ["p", 10]);
  expect(await tally()).toEqual({
    total: 10,
    draft: 5,
    live: 5,
    gone: 0,
    active: 8,
    passive: 2,
  });
});

test("is exact after bulk updates and deletes, merges and refused conflicts", async () => {
  await db.query(insertSome, ["p", 1000]);
  await db.query("update products set status = 'gone' where active");
  await db.query("update products set status = 'live', active = not active where name like '%7'");
  await db.query("delete from products where name like '%3'");
  await db.query(`${insertSome} on conflict do nothing`, ["p", 1100]);
  await db.query(
    `${insertSome} on conflict (name) do update set status = 'draft', active = false`,
    ["p", 20],
  );
  await db.query(
    `merge into products
     using generate_series(1, 30) as n on name = 'p' || n * 50
     when matched and n < 10 then delete
     when matched then update set status = 'gone'
     when not matched then
       insert (id, name, price, category_id) values (gen_random_uuid(), 'm' || n, 1, '${category}')`,
  );
  const { rows } = await db.query("select count(*)::int as total from products");
  expect((await tally()).total).toBe(rows[0].total);
});

test("forgets what is rolled back, to a savepoint or whole", async () => {
  await db.query(insertSome, ["kept", 3]);
  await db.query("begin");
  await db.query(insertSome, ["first", 5]);
  await db.query("savepoint here");
  await db.query("delete from products");
  await db.query("rollback to here");
  await db.query("commit");
  await db.query("begin");
  await db.query("truncate products cascade");
  await db.query(insertSome, ["lost", 7]);
  await db.query("rollback");
  expect((await tally()).total).toBe(8);
});

test("counts links that a delete clears or cascades to", async () => {
  await db.query(insertSome, ["p", 4]);
  await db.query(
    `insert into categories (id, name, parent_id)
     select gen_random_uuid(), 'Child ' || n, $1 from generate_series(1, 3) as n`,
    [category],
  );
  await db.query("delete from products");
  await db.query("delete from categories where id = $1", [category]);
  const { rows } = await db.query("select sum(total)::int as total from service.categories__tally");
  expect(rows).toEqual([{ total: 3 }]);
});

test("starts again at zero with `truncate`, also one that cascades", async () => {
  await db.query(insertSome, ["p", 50]);
  await db.query("truncate categories cascade");
  expect((await tally()).total).toBe(0);
});

test("counts rows of `copy`", async () => {
  const folder = mkdtempSync(join(tmpdir(), "service-copy-"));
  chmodSync(folder, 0o755);
  try {
    const lines = Array.from(
      { length: 200 },
      (_, n) => `01890000-0000-7000-8000-${String(n).padStart(12, "0")}\tCopy ${n}\t1\t${category}`,
    );
    writeFileSync(join(folder, "products"), `${lines.join("\n")}\n`, { mode: 0o644 });
    await db.query(`copy products (id, name, price, category_id) from '${folder}/products'`);
    expect(await tally()).toMatchObject({ total: 200, draft: 200, active: 200 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("leaves the slots alone if an update changes no count", async () => {
  await db.query(insertSome, ["p", 10]);
  const slots = () =>
    db.query("select slot, xmin::text, ctid::text from service.products__tally order by 1");
  const before = (await slots()).rows;
  await db.query("update products set price = 2, updated_at = now()");
  await db.query("update products set status = status");
  await db.query("delete from products where false");
  expect((await slots()).rows).toEqual(before);
});

test("makes no writer wait for the open transactions of others", async () => {
  const open = await Promise.all(Array.from({ length: 40 }, connected));
  try {
    for (const [at, client] of open.entries()) {
      await client.query("set statement_timeout to '5s'");
      await client.query("begin");
      await client.query(insertSome, [`open ${at} `, 2]);
    }
    await db.query(insertSome, ["beside ", 1]);
    expect((await tally()).total).toBe(1);
    await Promise.all(open.map((client, at) => client.query(at % 2 === 0 ? "commit" : "rollback")));
    expect((await tally()).total).toBe(41);
  } finally {
    await Promise.all(open.map((client) => client.end()));
  }
});

test("is exact under fifty concurrent writers who insert, change, delete and roll back", async () => {
  const writers = await Promise.all(Array.from({ length: 50 }, connected));
  const write = async (client: pg.Client, writer: number) => {
    for (let round = 0; round < 12; round += 1) {
      await client.query("begin");
      await client.query(insertSome, [`w${writer}-${round}-`, 1 + (round % 4)]);
      await client.query("update products set status = 'gone', active = false where name = $1", [
        `w${writer}-${round}-1`,
      ]);
      if (round % 3 === 0) {
        await client.query("delete from products where name like $1", [
          `w${writer}-${round - 1}-%`,
        ]);
      }
      await client.query(round % 5 === 4 ? "rollback" : "commit");
    }
  };
  try {
    await Promise.all(writers.map(write));
    const { rows } = await db.query("select count(*)::int as total from products");
    expect((await tally()).total).toBe(rows[0].total);
  } finally {
    await Promise.all(writers.map((client) => client.end()));
  }
});

test("a role that may write the table needs no right to its tally", async () => {
  const role = `writer_${process.pid}`;
  await db.query(`create role ${role}`);
  try {
    await db.query(`grant insert, select on products to ${role}`);
    await db.query(`set role ${role}`);
    await db.query(insertSome, ["p", 2]);
    await expect(db.query("select * from service.products__tally")).rejects.toThrow(
      "permission denied",
    );
    await db.query("reset role");
    expect((await tally()).total).toBe(2);
  } finally {
    await db.query("reset role");
    await db.query(`drop owned by ${role}`);
    await db.query(`drop role ${role}`);
  }
});

test("counts values and columns of any name", async () => {
  const values = ["50% off", "%s", "%1$s", "it's", "a$body$;", "back\\slash", "line\nbreak"];
  const columns = ["found", "new", "old", "sign", "tg_op", "total", "slot", "change"];
  await db.query(
    `create table odd (id int, ${columns.map((column) => `"${column}" text`).join(", ")})`,
  );
  const counts = columns.flatMap((column) =>
    values.map((value, at) => [`${column}__${at}`, [column, value]] as const),
  );
  await db.query(`call service.create_tally('odd', 'odd__tally', $1)`, [
    JSON.stringify(Object.fromEntries(counts)),
  ]);
  for (const value of values) {
    await db.query(
      `insert into odd values (1, ${columns.map((_, at) => `$${at + 1}`).join(", ")})`,
      columns.map(() => value),
    );
  }
  await db.query(`update odd set "new" = $1 where "old" = $2`, ["%s", "it's"]);
  await db.query(`delete from odd where "found" = $1`, ["50% off"]);
  const { rows } = await db.query(
    "select sum(total)::int as total, sum(new__1)::int as percent, sum(new__3)::int as its from service.odd__tally",
  );
  expect(rows).toEqual([{ total: 6, percent: 2, its: 0 }]);
});

test("a tally made for a table that has rows begins with their number", async () => {
  await db.query("create table goods (id int, kind text)");
  await db.query(
    "insert into goods select n, case when n % 4 = 0 then 'it''s' end from generate_series(1, 9) n",
  );
  await db.query(
    `call service.create_tally('goods', 'goods__tally', '{"kind__1": ["kind", "it''s"]}')`,
  );
  const { rows } = await db.query(
    "select sum(total)::int as total, sum(kind__1)::int as its from service.goods__tally",
  );
  expect(rows).toEqual([{ total: 9, its: 2 }]);
});
