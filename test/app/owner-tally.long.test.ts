import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { type Client, client } from "../support/http/client.js";

let app: RunningApp;
let ada: Client;
let bob: Client;
let auditor: Client;
let ids: Readonly<Record<"ada" | "bob" | "auditor", string>>;

beforeAll(async () => {
  app = await startApp("apps/notes");
  [ada, bob, auditor] = (await Promise.all(
    [null, null, "auditor"].map(async (role) => client(app.url, await app.signIn(role))),
  )) as [Client, Client, Client];
  const idOf = async (one: Client) =>
    (await one.get<{ user: { id: string } }>("/auth/me")).body.user.id;
  ids = { ada: await idOf(ada), bob: await idOf(bob), auditor: await idOf(auditor) };
});
beforeEach(async () => {
  await app.db.query("delete from notebooks");
  // The numbers that a failed test has changed.
  await app.db.query("call service.recount('notebooks')");
});
afterAll(() => app.close());

const insertSome = `
  insert into notebooks (id, account_id, title)
  select gen_random_uuid(), $1, 'n' || n from generate_series(1, $2) as n`;

async function total(caller: Client, query = ""): Promise<number> {
  return (await caller.list(`/notebooks?perPage=1${query}`)).body.meta.total;
}

async function expectExact(): Promise<void> {
  expect(await app.db.query("select * from service.wrong_counts()")).toEqual([]);
}

/** How many numbers there are of an account. */
async function kept(owner: string): Promise<number> {
  const [row] = await app.db.query<{ kept: number }>(
    "select count(*)::int as kept from service.owner_counts where owner = $1",
    [owner],
  );
  return row?.kept ?? 0;
}

test("a list of own records has its total from the counts by owner", async () => {
  await app.db.query(insertSome, [ids.ada, 30]);
  await app.db.query(insertSome, [ids.bob, 2]);
  expect([await total(ada), await total(bob), await total(auditor)]).toEqual([30, 2, 32]);
  expect(await total(ada, "&page=3")).toBe(30);
  expect((await ada.get("/notebooks/_stats")).body).toMatchObject({ total: 30, current: 30 });
  // Only what is kept could say so.
  await app.db.query(
    `update service.owner_counts set total = total + 5
     where ctid = (select ctid from service.owner_counts where owner = $1 limit 1)`,
    [ids.ada],
  );
  expect([await total(ada), await total(ada, "&filter[colour]=red")]).toEqual([35, 30]);
  expect((await ada.get("/notebooks/_stats")).body).toMatchObject({ total: 35, current: 30 });
  const wrong = await app.db.query("select * from service.wrong_counts()");
  expect(wrong).toEqual([
    {
      table_name: "notebooks",
      counted: `account_id = ${ids.ada}`,
      kept: expect.anything(),
      found: expect.anything(),
    },
  ]);
  await app.db.query("call service.recount('notebooks')");
  await expectExact();
});

test("the counts follow bulk writes, moves, conflicts, rollbacks and `truncate`", async () => {
  await app.db.query(insertSome, [ids.ada, 100]);
  await app.db.query("update notebooks set account_id = $1 where title like '%3'", [ids.bob]);
  await app.db.query("update notebooks set title = title || '!', account_id = account_id");
  await app.db.query("delete from notebooks where title like '%7!'");
  await expectExact();
  expect([await total(ada), await total(bob)]).toEqual([80, 10]);
  await app.db
    .transaction(async (db) => {
      await db.query("truncate notebooks cascade");
      await db.query(insertSome, [ids.bob, 7]);
      throw new Error("rolled back");
    })
    .catch(() => undefined);
  expect([await total(ada), await total(bob)]).toEqual([80, 10]);
  await app.db.query("truncate notebooks cascade");
  expect([await total(ada), await total(bob)]).toEqual([0, 0]);
  await expectExact();
});

test("writers of the same owner do not wait for each other, and all rows are counted", async () => {
  const open = await Promise.all(Array.from({ length: 40 }, () => connected(app.databaseUrl)));
  try {
    for (const one of open) {
      await one.query("set statement_timeout to '5s'");
      await one.query("begin");
      await one.query(insertSome, [ids.ada, 2]);
      await one.query(insertSome, [ids.bob, 1]);
      await one.query("update notebooks set account_id = $1 where account_id = $2", [
        ids.bob,
        ids.ada,
      ]);
    }
    expect([await total(ada), await total(bob)]).toEqual([0, 0]);
    await Promise.all(open.map((one, at) => one.query(at % 2 === 0 ? "commit" : "rollback")));
    expect([await total(ada), await total(bob)]).toEqual([0, 60]);
    await expectExact();
  } finally {
    await Promise.all(open.map((one) => one.end()));
  }
});

test("is exact under thirty writers at once", async () => {
  const open = await Promise.all(Array.from({ length: 30 }, () => connected(app.databaseUrl)));
  const write = async (one: pg.Client, writer: number) => {
    for (let round = 0; round < 10; round += 1) {
      await one.query("begin");
      await one.query(insertSome, [writer % 3 === 0 ? ids.ada : ids.bob, 1 + (round % 3)]);
      if (round % 3 === 1) {
        await one.query(
          `delete from notebooks where id in (
             select id from notebooks where account_id = $1 limit 2 for update skip locked)`,
          [ids.bob],
        );
      }
      await one.query(round % 4 === 3 ? "rollback" : "commit");
    }
  };
  try {
    await Promise.all(open.map(write));
  } finally {
    await Promise.all(open.map((one) => one.end()));
  }
  await expectExact();
});

test("the counts of an account are deleted with it and its records", async () => {
  const gone = "00000000-0000-7000-8000-000000000009";
  await app.db.query(
    "insert into service.users (id, name, email) values ($1, 'Gone', 'gone@example.com')",
    [gone],
  );
  await app.db.query(insertSome, [gone, 5]);
  expect(await kept(gone)).toBeGreaterThan(0);
  await app.db.query("delete from service.users where id = $1", [gone]);
  expect(await kept(gone)).toBe(0);
  await expectExact();
});

test("rows that exist when the rule is added are counted while writers continue", async () => {
  const counts = (owner: boolean) =>
    app.db.query("call service.change_tally('notebooks', 'notebooks__tally', $1)", [
      owner ? { owner: ["account_id", null] } : {},
    ]);
  await app.db.query(insertSome, [ids.ada, 500]);
  const writers = await Promise.all(Array.from({ length: 5 }, () => connected(app.databaseUrl)));
  let done = false;
  const writing = Promise.all(
    writers.map(async (one, at) => {
      while (!done) await one.query(insertSome, [at % 2 === 0 ? ids.ada : ids.bob, 2]);
    }),
  );
  try {
    for (let round = 0; round < 5; round += 1) {
      await counts(false);
      expect([await kept(ids.ada), await kept(ids.bob)]).toEqual([0, 0]);
      await counts(true);
      await app.db.query("call service.add_owners('notebooks')");
      await expectExact();
    }
  } finally {
    done = true;
    await writing;
    await Promise.all(writers.map((one) => one.end()));
  }
  // Counted once more, it is left as it is.
  await app.db.query("call service.add_owners('notebooks')");
  await expectExact();
});

async function connected(connectionString: string): Promise<pg.Client> {
  const one = new pg.Client({ connectionString });
  await one.connect();
  return one;
}
