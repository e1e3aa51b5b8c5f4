import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  followLog,
  forgetChanges,
  type LoggedChange,
  readChanges,
  readState,
  sequenceChanges,
} from "../../../runtime/changes/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import {
  createDatabase,
  emptyDatabase,
  type TestDatabase,
} from "../../support/database/database.js";

let made: TestDatabase;
let db: Database;
let first: string;
let second: string;

beforeAll(async () => {
  made = await createDatabase();
  db = openDatabase({ url: made.url, poolSize: 6, prepare: true });
  await db.query(`
    create table public.things (id uuid primary key default service.uuid_v7(), name text)`);
  await db.query("call service.log_changes('things', 'things')");
});
afterAll(async () => {
  await db.close();
  await made.drop();
});
beforeEach(async () => {
  await db.query("delete from things");
  [first, second] = await Promise.all([add("one"), add("two")]);
  await sequenceChanges(db);
});

async function add(name: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    "insert into things (name) values ($1) returning id",
    [name],
  );
  return row?.id ?? "";
}

async function changesAfter(n: number): Promise<readonly LoggedChange[]> {
  await sequenceChanges(db);
  const range = { after: n, upTo: Number.MAX_SAFE_INTEGER, resources: ["things"], most: 1000 };
  return readChanges(db, range);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const setName = "update things set name = $2 where id = $1";

test("every write is logged in its transaction, with the row before it, from any writer", async () => {
  const { n } = await readState(db);
  const id = await add("three");
  await db.query("update things set name = 'drei' where id = $1", [id]);
  await db.query("update things set id = $2 where id = $1", [
    id,
    "019a0000-0000-7000-8000-000000000001",
  ]);
  await db.query("delete from things where name = 'drei'");
  await db.query("truncate things");
  await expect(
    db.transaction(async ({ query }) => {
      await query("insert into things (name) values ('never')");
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await sequenceChanges(db);
  const other = "019a0000-0000-7000-8000-000000000001";
  expect(
    await db.query(
      `select n::int, resource, op, id, account, before
       from service.changes where n > $1 order by n`,
      [n],
    ),
  ).toEqual(
    [
      { n: n + 1, op: "create", id, before: null },
      { n: n + 2, op: "update", id, before: { id, name: "three" } },
      { n: n + 3, op: "delete", id, before: { id, name: "drei" } },
      { n: n + 4, op: "create", id: other, before: null },
      { n: n + 5, op: "delete", id: other, before: { id: other, name: "drei" } },
      { n: n + 6, op: "truncate", id: null, before: null },
    ].map((change) => ({ resource: "things", account: null, ...change })),
  );
});

test("a change knows whether it is the record's last one in its transaction, wherever reading stops", async () => {
  const { n } = await readState(db);
  await db.query(setName, [first, "before"]);
  await db.transaction(async ({ query }) => {
    for (const name of ["a", "b", "c"]) {
      await query(setName, [first, name]);
      await query(setName, [second, name]);
    }
  });
  await db.query(setName, [first, "after"]);
  const read = async (after: number, most: number) => {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, resources: ["things"], most };
    const changes = await readChanges(db, range);
    return changes.map((one) => [one.n - n, one.first - n, one.isLast]);
  };
  // The rest of the transaction has no numbers yet.
  await db.query("select service.sequence_changes(3)");
  const part = [
    [1, 1, true],
    [2, 2, false],
    [3, 3, false],
  ];
  expect(await read(n, 1000)).toEqual(part);
  await sequenceChanges(db);
  const rest = [
    [4, 4, false],
    [5, 5, false],
    [6, 2, true],
    [7, 3, true],
    [8, 8, true],
  ];
  expect(await read(n, 1000)).toEqual([...part, ...rest]);
  expect(await read(n, 3)).toEqual(part);
  expect(await read(n + 3, 3)).toEqual(rest.slice(0, 3));
  // Changes of former releases.
  await db.query("update service.changes set tx = null where n > $1", [n]);
  expect(new Set((await read(n, 1000)).map(([at, from, last]) => at === from && last))).toEqual(
    new Set([true]),
  );
});

test("the writing account is sent with the statement, or with each of its rows", async () => {
  const { n } = await readState(db);
  const account = "019a0000-0000-7000-8000-00000000000a";
  const write = `with who as (select set_config('service.account', $3, true) as account)
    update things set name = $2 from who where id = $1 and who.account is not null`;
  await db.query(write, [first, "by one", account]);
  await db.query(write, [first, "by each", JSON.stringify({ [first]: account })]);
  await db.query(write, [second, "not there", JSON.stringify({ [first]: account })]);
  await db.query(write, [first, "odd", "somebody"]);
  await db.query(setName, [first, "by hand"]);
  expect((await changesAfter(n)).map((change) => change.account)).toEqual([
    account,
    account,
    null,
    null,
    null,
  ]);
});

test("a change that a listener could not process is retried, even if nothing else is written", async () => {
  const errors: unknown[] = [];
  const follower = followLog({ db, onError: (error) => errors.push(error), everyMs: 10 });
  const seen: number[] = [];
  let failures = 1;
  follower.listen(({ n }) => {
    seen.push(n);
    if (failures === 0) return;
    failures -= 1;
    throw new Error("The database was away");
  });
  await expect.poll(() => seen.length).toBe(2);
  expect(seen[1]).toBe(seen[0]);
  expect(errors).toEqual([new Error("The database was away")]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(seen).toHaveLength(2);
  await follower.close();
});

test("open transactions do not delay others, and each record's changes keep their order", async () => {
  const { n } = await readState(db);
  const elsewhere = await emptyDatabase();
  try {
    await withClient(elsewhere.url, (other) =>
      withClient(made.url, (open) =>
        withClient(made.url, async (late) => {
          await other.query("create table t (a int); begin; insert into t values (1)");
          await late.query("begin; select pg_current_xact_id()");
          await open.query("begin");
          await open.query(setName, [second, "still open"]);
          await db.query(setName, [first, "A"]);
          await late.query(setName, [first, "B"]);
          await late.query("commit");
          expect((await changesAfter(n)).map(({ n: at, id }) => [at - n, id])).toEqual([
            [1, first],
            [2, first],
          ]);
          const [last] = await db.query(
            "select before ->> 'name' as name from service.changes where n = $1",
            [n + 2],
          );
          expect(last).toEqual({ name: "A" });
          for (let at = 0; at < 5; at += 1) await sequenceChanges(db);
          await open.query("commit");
          expect((await changesAfter(n)).map(({ n: at, id }) => [at - n, id]).at(-1)).toEqual([
            3,
            second,
          ]);
        }),
      ),
    );
  } finally {
    await elsewhere.drop();
  }
});

test("the inbox is read from the lowest number that an open transaction can still have", async () => {
  const lowest = async () => {
    const [row] = await db.query<{ lowest: number; last: number }>(
      `select lowest_seq::float8 as lowest, (select last_value::float8 from service.changes_new_seq_seq) as last
       from service.change_counter`,
    );
    return row ?? { lowest: 0, last: 0 };
  };
  await expect
    .poll(async () => {
      await sequenceChanges(db);
      const { lowest: from, last } = await lowest();
      return from - last;
    })
    .toBe(1);
  const { n } = await readState(db);
  await db.query("select setval('service.changes_new_seq_seq', 1, false)");
  await db.query(setName, [first, "after a restart of the numbers"]);
  expect(await changesAfter(n)).toHaveLength(1);
});

test("restarted numbers lose no change, even while an older transaction is open elsewhere", async () => {
  const elsewhere = await emptyDatabase();
  try {
    await withClient(elsewhere.url, async (older) => {
      await older.query("begin");
      await older.query("select pg_current_xact_id()");
      await db.query("insert into things select from generate_series(1, 50)");
      for (let times = 0; times < 3; times += 1) await sequenceChanges(db);
      const { n } = await readState(db);
      await db.query("select setval('service.changes_new_seq_seq', 1, false)");
      await sequenceChanges(db);
      // More than there were before: the numbers have caught up.
      await db.query("insert into things select from generate_series(1, 2000)");
      await sequenceChanges(db);
      expect(await readState(db)).toMatchObject({ n: n + 2000 });
      expect(await db.query("select from service.changes_new")).toEqual([]);
    });
  } finally {
    await elsewhere.drop();
  }
});

test("numbers have no gaps, though several processes assign them and some of them stop", async () => {
  const { n } = await readState(db);
  const until = Date.now() + 1200;
  let written = 0;
  const write = async () => {
    while (Date.now() < until) {
      written += 1;
      await db.query(setName, [written % 2 === 0 ? first : second, String(written)]);
    }
  };
  const sequence = async () => {
    while (Date.now() < until) {
      await withClient(made.url, async (client) => {
        client.on("error", () => {});
        const numbered = client.query(
          "select service.sequence_changes(50) from generate_series(1, 20)",
        );
        await db.query("select pg_sleep(0.01)");
        await db.query("select pg_terminate_backend($1)", [Reflect.get(client, "processID")]);
        await numbered.catch(() => {});
      }).catch(() => {});
      await sequenceChanges(db);
    }
  };
  await Promise.all([write(), write(), sequence(), sequence()]);
  // One that was ended may hold its lock for a moment longer.
  const waiting = async () => {
    await sequenceChanges(db);
    return (await db.query("select from service.changes_new")).length;
  };
  await expect.poll(waiting, { interval: 10 }).toBe(0);
  const [found] = await db.query<Record<string, number>>(
    `select count(*)::int as all, count(distinct n)::int as numbers, max(n)::int as last,
       (select count(*)::int from service.changes_new) as left
     from service.changes where n > $1`,
    [n],
  );
  expect(written).toBeGreaterThan(50);
  expect(found).toEqual({ all: written, numbers: written, last: n + written, left: 0 });
});

test("a change that is committed after several numberings gets a number", async () => {
  await sequenceChanges(db);
  const { n } = await readState(db);
  await withClient(made.url, async (client) => {
    await client.query("begin");
    // The newest transaction of all: no later one has ended.
    await client.query(setName, [first, "late"]);
    for (let times = 0; times < 4; times += 1) await sequenceChanges(db);
    await client.query("commit");
  });
  await sequenceChanges(db);
  expect(await readState(db)).toMatchObject({ n: n + 1 });
  expect(await db.query("select from service.changes_new")).toEqual([]);
});

test("changes are deleted after their retention, those of histories later", async () => {
  await db.query("truncate service.changes");
  const { n } = await readState(db);
  const keep = async (ages: readonly (readonly [resource: string, days: number])[]) => {
    await db.query(
      `insert into service.changes (n, at, resource, op, id)
       select $1 + at, now() - make_interval(days => days), resource, 'update', $4
       from unnest($2::text[], $3::int[]) with ordinality as one (resource, days, at)`,
      [n, ages.map(([resource]) => resource), ages.map(([, days]) => days), first],
    );
    await db.query("update service.change_counter set n = n + $1", [ages.length]);
  };
  const left = async () => {
    const rows = await db.query<{ n: number }>("select n::int from service.changes order by n");
    return rows.map((row) => row.n - n);
  };
  await db.query("update service.change_counter set kept_after = $1", [n]);
  await keep([
    ["things", 40],
    ["orders", 40],
    ["orders", 20],
    ["things", 9],
    ["things", 6],
    ["orders", 0],
  ]);
  await forgetChanges(db, { days: 7, histories: { orders: 30 } });
  expect(await left()).toEqual([3, 5, 6]);
  expect(await readState(db)).toMatchObject({ keptAfter: n + 4 });
  // A history of fewer days is kept as long as other changes, from which readers resume.
  await forgetChanges(db, { days: 21, histories: { orders: 3 } });
  expect(await left()).toEqual([3, 5, 6]);
  // Its history is kept no longer, and so for as long as that of others.
  await forgetChanges(db, { days: 7, histories: {} });
  expect(await left()).toEqual([5, 6]);
  expect(await db.query("select from service.change_histories")).toEqual([]);
});

test("a renamed resource keeps its changes", async () => {
  const { n } = await readState(db);
  await db.query(setName, [first, "numbered"]);
  await sequenceChanges(db);
  await db.query(setName, [first, "not numbered"]);
  await db.query("call service.rename_logged('things', 'goods')");
  expect(await changesAfter(n)).toEqual([]);
  await db.query("call service.rename_logged('goods', 'things')");
  expect(await changesAfter(n)).toHaveLength(2);
});

test("webhooks of a renamed resource send its new name", async () => {
  const given = ["things.*", "things-more.created", "other.deleted", "things.created"];
  await db.query(
    `insert into service.webhooks (id, url, events, secret, position, log)
     select $1, 'https://receiver.example', $2, '', n, log from service.change_counter`,
    [first, given],
  );
  const events = async () => {
    const [row] = await db.query<{ events: string[] }>("select events from service.webhooks");
    return row?.events;
  };
  await db.query("call service.rename_logged('things', 'goods')");
  expect(await events()).toEqual([
    "goods.*",
    "things-more.created",
    "other.deleted",
    "goods.created",
  ]);
  await db.query("call service.rename_logged('goods', 'things')");
  expect(await events()).toEqual(given);
  await db.query("delete from service.webhooks");
});

test("a table is no longer logged once logging is disabled", async () => {
  await db.query("call service.stop_log('things')");
  const { n } = await readState(db);
  await db.query(setName, [first, "unseen"]);
  expect(await changesAfter(n)).toEqual([]);
  await db.query("call service.log_changes('things', 'things')");
});
