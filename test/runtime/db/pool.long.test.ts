import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbedded } from "../../../bin/embedded/load.js";
import {
  type Database,
  foreignKeyViolation,
  isConnectionLost,
  isUnavailable,
  openDatabase,
  sqlState,
  uniqueViolation,
} from "../../../runtime/db/index.js";
import { removeAppFolder } from "../../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";
import { usedAppFolder } from "../../support/database/embedded-data.js";

test("works again without a restart when the database went down and returned", async () => {
  const root = await usedAppFolder();
  const settings = { fsync: "off" };
  const before = await startEmbedded({ root, settings });
  const db = openDatabase({ url: before.url, poolSize: 2, prepare: true });
  expect(await double(db)).toEqual([{ four: 4 }]);
  const running = failure(db.query("select pg_sleep(60)"));
  const transaction = failure(
    db.transaction((connection) => connection.query("select pg_sleep(60)")),
  );
  await untilBusy(before.url, 2);
  await before.stop();
  expect(isUnavailable(await running)).toBe(true);
  expect(isUnavailable(await transaction)).toBe(true);
  expect(isUnavailable(await failure(double(db)))).toBe(true);
  const after = await startEmbedded({ root, settings });
  expect(after.url).toBe(before.url);
  expect(await double(db)).toEqual([{ four: 4 }]);
  await db.close();
  await after.stop();
  removeAppFolder(root);
});

describe("a database", () => {
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    database = await emptyDatabase();
    db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
    await db.query("create table parents (id int, constraint parents_key unique (id))");
    await db.query(
      `create table children (
        parent_id int, constraint children_parent_fkey foreign key (parent_id)
        references parents (id) on delete restrict
      )`,
    );
    await db.query("insert into parents values (1)");
    await db.query("insert into children values (1)");
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  test("no statement uses more than one of PostgreSQL's processes", async () => {
    await db.query(
      "create table if not exists measured as select at from generate_series(1, 20000) as at",
    );
    await db.query("analyze measured");
    const cheap = ["parallel_setup_cost", "parallel_tuple_cost", "min_parallel_table_scan_size"];
    const settings = cheap.map((name) => `set_config('${name}', '0', true)`).join(", ");
    await db.transaction(async (connection) => {
      await connection.query(`select ${settings}`);
      const plan = await connection.query("explain select count(*) from measured where at % 7 = 1");
      expect(JSON.stringify(plan)).not.toMatch(/Gather|Parallel/);
      await connection.query("set local max_parallel_workers_per_gather to 2");
      const usual = await connection.query(
        "explain select count(*) from measured where at % 7 = 1",
      );
      expect(JSON.stringify(usual)).toContain("Parallel");
    });
  });

  test("a callback for after the commit runs after it, and never after a rollback", async () => {
    const seen: (string | number)[] = [];
    const count = async () => (await db.query("select id from parents where id = 7")).length;
    const answer = await db.transaction(async (connection) => {
      connection.afterCommit(() => seen.push("committed"));
      await connection.query("insert into parents values (7)");
      seen.push(await count());
      return "answer";
    });
    expect(answer).toBe("answer");
    expect([...seen, await count()]).toEqual([0, "committed", 1]);
    await db.query("delete from parents where id = 7");

    const failing = db.transaction(async (connection) => {
      connection.afterCommit(() => seen.push("never"));
      throw new Error("taken back");
    });
    await expect(failing).rejects.toThrow("taken back");
    const unnoticed = db.transaction(async (connection) => {
      connection.afterCommit(() => seen.push("never"));
      await connection.query("select 1 / 0").catch(() => {});
    });
    await expect(unnoticed).rejects.toThrow("its error was ignored");
    expect(seen).not.toContain("never");
  });

  test("limits a patient transaction's lock waits apart from its statements", async () => {
    const lock = "select from parents where id = 1 for update";
    await db.transaction(async ({ query }) => {
      await query(lock);
      const waits: number[] = [];
      const patient = { statementMs: 1_500, lockMs: 3_000, onWait: (ms: number) => waits.push(ms) };
      const held = await failure(db.transaction((other) => other.query(lock), patient));
      expect(sqlState(held)).toBe("55P03");
      expect(isUnavailable(held)).toBe(true);
      const waited = waits.reduce((sum, ms) => sum + ms, 0);
      expect(waited).toBeGreaterThan(patient.statementMs);
    });
    const slow = await failure(
      db.transaction(({ query }) => query("select pg_sleep(3600)"), {
        ...{ statementMs: 300, lockMs: 60_000 },
      }),
    );
    expect(sqlState(slow)).toBe("57014");
    expect(await double(db)).toEqual([{ four: 4 }]);
  });

  test("a thousand patient transactions of a resource are queued, and further ones fail at once", async () => {
    const { transaction } = db.ofResource("crowded");
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let running = 0;
    const refused: unknown[] = [];
    const work = async () => {
      running += 1;
      await held;
    };
    const all = Array.from({ length: 1_100 }, () =>
      transaction(work, { lockMs: 600_000 }).catch((error: unknown) => refused.push(error)),
    );
    await expect.poll(() => running > 0 && running + refused.length).toBe(100);
    expect(refused.length).toBeGreaterThan(90);
    expect(refused.every(isUnavailable)).toBe(true);
    goOn();
    await Promise.all(all);
    expect(running + refused.length).toBe(1_100);
  });

  test("rolls back everything if a transaction throws, with any error", async () => {
    const work = db.transaction(async (connection) => {
      await connection.query("insert into parents values (2)");
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(await db.query("select id from parents")).toEqual([{ id: 1 }]);
  });

  test("commits a transaction, and returns its result", async () => {
    const result = await db.transaction(async (connection) => {
      await connection.query("create table if not exists done ()");
      return "done";
    });
    expect(result).toBe("done");
    expect(await db.query("select from done")).toEqual([]);
  });

  test("runs a resource's transaction up to five times if it loses to others, and an app's once", async () => {
    const { transaction } = db.ofResource("parents");
    await db.query("create schema service");
    await db.query(`create function service.lose() returns void language plpgsql as
      $$begin raise sqlstate '40P01'; end$$`);
    const runs = async (losses: number, options = {}) => {
      let count = 0;
      const outcome = await transaction(async ({ query }) => {
        count += 1;
        if (count <= losses) await query("select service.lose()");
      }, options).catch((error: unknown) => error);
      return [count, isUnavailable(outcome)];
    };
    expect(await runs(4)).toEqual([5, false]);
    expect(await runs(9)).toEqual([5, true]);
    expect(await runs(1, { isOnce: true })).toEqual([1, true]);
  });

  test("does not commit a transaction of which a failed statement was skipped", async () => {
    const work = db.transaction(async (connection) => {
      await failure(connection.query("select 1 / 0"));
    });
    await expect(work).rejects.toThrow(
      "A statement in the transaction failed and its error was ignored",
    );
  });

  test("keeps the connection of a refused statement or transaction", async () => {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const session = () => one.query("select pg_backend_pid() as pid");
    const before = await session();
    await failure(one.query("insert into parents values (1)"));
    await failure(one.transaction(() => Promise.reject(new Error("no"))));
    expect(await session()).toEqual(before);
    await one.close();
  });

  test("replaces a connection that was lost in a transaction", async () => {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const work = one.transaction((connection) =>
      connection.query("select pg_terminate_backend(pg_backend_pid())"),
    );
    expect(isUnavailable(await failure(work))).toBe(true);
    expect(await double(one)).toEqual([{ four: 4 }]);
    await one.close();
  });

  test("logs an idle connection that was lost, and continues", async () => {
    const messages: string[] = [];
    const log = { warn: (_details: object, message: string) => messages.push(message) };
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true, log });
    const [session] = await one.query<{ pid: number }>("select pg_backend_pid() as pid");
    await db.query("select pg_terminate_backend($1, 5000)", [session?.pid]);
    await expect.poll(() => messages).toContain("An idle database connection was lost");
    expect(await double(one)).toEqual([{ four: 4 }]);
    await one.close();
  });

  test("is unavailable while all connections are busy", async () => {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const busy = one.query("select pg_sleep(5.5)");
    expect(isUnavailable(await failure(one.query("select 1")))).toBe(true);
    await busy;
    await one.close();
  });

  test("names the constraint of a taken value", async () => {
    const error = await failure(db.query("insert into parents values (1)"));
    expect(uniqueViolation(error)).toBe("parents_key");
    expect(foreignKeyViolation(error)).toBe(null);
    expect(isUnavailable(error)).toBe(false);
  });

  test("a statement that does not fit its values is not a lost connection", async () => {
    const error = await failure(db.query("select 1", [1]));
    expect(sqlState(error)).toBe("08P01");
    expect([isUnavailable(error), isConnectionLost(error)]).toEqual([false, false]);
    // A pooler that ends a connection says the same.
    const { message } = error as Error;
    const ended = Object.assign(new Error(message), { code: "08P01", severity: "FATAL" });
    expect([isUnavailable(ended), isConnectionLost(ended)]).toEqual([true, true]);
  });

  test("names the broken link of an insert and of a delete", async () => {
    const link = { constraint: "children_parent_fkey", table: "children", schema: "public" };
    const insert = await failure(db.query("insert into children values (7)"));
    expect(foreignKeyViolation(insert)).toEqual(link);
    const removal = await failure(db.query("delete from parents"));
    expect(foreignKeyViolation(removal)).toEqual(link);
    expect(uniqueViolation(removal)).toBe(null);
  });

  test("prepares a statement when it is sent a second time, and none if told not to", async () => {
    const one = (n: number) => `select ${n}`;
    expect(await preparedAfter(5, one, true)).toBe(0);
    expect(await preparedAfter(4, (n) => one(n % 2), true)).toBe(2);
    expect(await preparedAfter(4, () => one(1), false)).toBe(0);
  });

  test("prepares no statement that finds no row", async () => {
    expect(await preparedAfter(5, () => "select where false", true)).toBe(0);
  });

  test("never holds more than 250 statements a connection, whatever is sent, and still prepares new ones", async () => {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    const count = "select count(*)::int as count from pg_prepared_statements where name like 's%'";
    const counts: number[] = [];
    for (let n = 0; n < 300; n += 1) {
      for (let use = 0; use < 3; use += 1) await one.query(`select ${n}`);
      const [found] = await one.read<{ count: number }>({
        text: count,
        values: [],
        cost: "scan",
        isVaried: true,
      });
      counts.push(found?.count ?? 0);
    }
    expect(Math.max(...counts)).toBe(250);
    for (let use = 0; use < 3; use += 1) await one.query("select 'asked often'");
    const named = "select from pg_prepared_statements where statement = $1";
    expect(
      await one.read({
        text: named,
        values: ["select 'asked often'"],
        cost: "scan",
        isVaried: true,
      }),
    ).toHaveLength(1);
    await one.close();
  });

  test("holds no more of them when many are requested at once", async () => {
    const many = openDatabase({ url: database.url, poolSize: 5, prepare: true });
    const counts: number[] = [];
    const ask = async (from: number) => {
      for (let n = from; n < from + 100; n += 1) {
        for (let use = 0; use < 3; use += 1) await many.query(`select ${n}`);
        const [found] = await many.read<{ count: number }>({
          text: "select count(*)::int as count from pg_prepared_statements",
          values: [],
          cost: "scan",
          isVaried: true,
        });
        counts.push(found?.count ?? 0);
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => ask(at * 100)));
    expect(Math.max(...counts)).toBeLessThanOrEqual(250);
    // Where each connection happens to be asked by the same ones, it prepares about their hundred texts.
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(50);
    await many.close();
  });

  test("never prepares a search, and plans it for its values", async () => {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    for (let use = 0; use < 5; use += 1)
      await one.read({ text: "select $1::int as n", values: [use], cost: "scan", isVaried: true });
    expect(
      await one.read({
        text: "select from pg_prepared_statements",
        values: [],
        cost: "scan",
        isVaried: true,
      }),
    ).toEqual([]);
    await one.close();
  });

  test("a prepared statement survives a change of its table", async () => {
    const many = openDatabase({ url: database.url, poolSize: 3, prepare: true });
    await db.query("drop table if exists changing");
    await db.query("create table changing (id int)");
    await db.query("insert into changing values (1)");
    const ask = () =>
      Promise.all(Array.from({ length: 6 }, () => many.query("select * from changing")));
    for (let use = 0; use < 3; use += 1) await ask();
    await db.query("alter table changing add column name text");
    expect(await ask()).toEqual(Array.from({ length: 6 }, () => [{ id: 1, name: null }]));
    await many.close();
  });

  test("closes twice without an error", async () => {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare: true });
    await one.close();
    await one.close();
    expect(isUnavailable(await failure(double(one)))).toBe(true);
  });

  async function preparedAfter(
    statements: number,
    text: (n: number) => string,
    prepare: boolean,
  ): Promise<unknown> {
    const one = openDatabase({ url: database.url, poolSize: 1, prepare });
    for (let n = 0; n < statements; n += 1) await one.query(text(n));
    const [found] = await one.read<{ count: number }>({
      text: "select count(*)::int as count from pg_prepared_statements",
      values: [],
      cost: "scan",
      isVaried: true,
    });
    await one.close();
    return found?.count;
  }
});

function double(db: Database): Promise<readonly unknown[]> {
  return db.query("select $1::int * 2 as four", [2]);
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail");
}

async function untilBusy(url: string, sessions: number): Promise<void> {
  const observer = openDatabase({ url, poolSize: 1, prepare: false });
  const text = "select count(*)::int as busy from pg_stat_activity where wait_event = 'PgSleep'";
  await expect
    .poll(async () => (await observer.query<{ busy: number }>(text))[0]?.busy)
    .toBe(sessions);
  await observer.close();
}
