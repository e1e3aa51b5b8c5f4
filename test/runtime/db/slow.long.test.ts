import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import type { RequestState } from "../../../runtime/request/index.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: Database;
let logged: string[] = [];
/** The ids of the requests for which `slow` was run; `none` without one. */
let asked: unknown[] = [];

beforeAll(async () => {
  database = await emptyDatabase();
  const warn = (details: object, message: string) => {
    if (message !== "A slow statement" || !("statement" in details)) return;
    logged.push(String(details.statement));
    if (details.statement === slow) asked.push("requestId" in details ? details.requestId : "none");
  };
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true, slowMs: 100, log: { warn } });
  await db.query("create table things (id int constraint things_once unique)");
  await db.query(
    `create function wait() returns trigger language plpgsql
     as $$ begin perform pg_sleep(0.15); return null; end $$`,
  );
  await db.query(
    `create constraint trigger waits after insert on things
     deferrable initially deferred for each row execute function wait()`,
  );
});
beforeEach(() => {
  logged = [];
  asked = [];
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const slow = "select pg_sleep(0.15), $1::int as given";

describe("a statement that takes longer than the limit is logged without its values", () => {
  test.each(["query", "attempt", "key", "index", "scan", "aggregate"] as const)(
    "by %s",
    async (way) => {
      const access = db.ofResource("things");
      const run = () =>
        way === "query" || way === "attempt"
          ? access[way](slow, [7])
          : access.read({ text: slow, values: [7], cost: way });
      // Often enough that the connection of quick reads is open, and takes it or refuses it.
      for (let round = 0; round < 3; round += 1) await run();
      expect(logged.filter((one) => one === slow)).toHaveLength(3);
    },
  );

  /** What is logged of the work: again where the machine was busy, so that quick statements were slow as well. */
  async function expectLogged(statement: string, work: () => Promise<unknown>): Promise<void> {
    const loggedBy = async () => {
      logged = [];
      await work();
      return logged;
    };
    await expect.poll(loggedBy).toEqual([statement]);
  }

  test("in a transaction, and no quick one beside it", () =>
    expectLogged(slow, () =>
      db.transaction(async (connection) => {
        await connection.query("select 1 as quick");
        await connection.query(slow, [7]);
      }),
    ));

  test("in a transaction of a resource", () =>
    expectLogged(slow, () =>
      db.ofResource("things").transaction((connection) => connection.query(slow, [7])),
    ));

  test("in a transaction that it makes fail", async () => {
    const failing = "select 1 / (pg_sleep(0.15) is null)::int as given";
    await expectLogged(failing, () =>
      expect(db.transaction(({ query }) => query(failing))).rejects.toThrow("division by zero"),
    );
  });

  test("if it is the commit, which checks deferred constraints", async () => {
    let id = 0;
    await expectLogged("commit", () => {
      id += 1;
      return db.transaction((connection) =>
        connection.query("insert into things values ($1)", [id]),
      );
    });
  });
});

describe("a slow statement is logged as the request's that it is run for", () => {
  const ways = ["query", "attempt", "key", "index", "scan", "aggregate", "transaction"] as const;
  test.each(ways)("by %s", async (way) => {
    const runFor = (database: Database) => {
      const access = database.ofResource("things");
      if (way === "transaction") return access.transaction(({ query }) => query(slow, [7]));
      return way === "query" || way === "attempt"
        ? access[way](slow, [7])
        : access.read({ text: slow, values: [7], cost: way });
    };
    // Two at once and one of no request, often enough that the connection of quick reads takes one or refuses it.
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([runFor(db.of(requestOf("one"))), runFor(db.of(requestOf("two")))]);
      await runFor(db);
    }
    const each = ["none", "one", "two"];
    expect(asked.toSorted()).toEqual(each.flatMap((id) => [id, id, id]));
  });
});

function requestOf(requestId: string): RequestState {
  return {
    fields: { requestId },
    traceparent: null,
    route: null,
    accountId: null,
    viewerId: null,
    serviceToken: null,
    job: null,
    client: () => null,
    database: null,
  };
}
