import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { isUnavailable } from "../../../runtime/db/statement/sqlstate.js";
import { cancelCommits, withoutStandby } from "../../support/database/standby.js";
import { openHost, type ShopHost } from "../../support/processes/shop-process.js";

let host: ShopHost;
/** Past the server under test. */
let other: pg.Client;
beforeAll(async () => {
  host = await openHost();
  other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
  await other.query("create table public.notes (id serial primary key, text text)");
});
afterAll(async () => {
  await other.end();
  await host.close();
});

async function withDatabase(
  settings: Partial<Parameters<typeof openDatabase>[0]>,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const db = openDatabase({ url: host.databaseUrl, poolSize: 1, prepare: true, ...settings });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

const write = "insert into notes (text) values ('x') returning pg_backend_pid() as pid";

async function pidOf(db: Database): Promise<number> {
  const [row] = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  return row?.pid ?? 0;
}

test("a connection to a read-only server is closed, even if app code hides its error", async () => {
  await withDatabase({}, async (db) => {
    for (const refused of [
      () => db.query(write),
      () =>
        db.transaction(async (tx) => {
          await tx.query(write).catch(() => {});
          throw new Error("something else");
        }),
    ]) {
      await db.query("set default_transaction_read_only = on");
      const before = await pidOf(db);
      await expect(refused()).rejects.toThrow();
      expect(await pidOf(db)).not.toBe(before);
      await db.query(write);
    }
  });
});

test("connections are renewed, the pipelined one too", async () => {
  await withDatabase({ lifetimeMs: 300 }, async (db) => {
    const [first, look] = [
      await pidOf(db),
      () =>
        db.read<{ pid: number }>({
          text: "select pg_backend_pid() as pid",
          values: [],
          cost: "key",
        }),
    ];
    const pipelined = async () => (await look())[0]?.pid ?? 0;
    await expect.poll(pipelined).not.toBe(first);
    const second = await pipelined();
    await expect.poll(() => pidOf(db)).not.toBe(first);
    await expect.poll(pipelined).not.toBe(second);
  });
});

/** What a write ends with whose wait for a standby is cancelled. */
async function givenUp(work: Promise<unknown>): Promise<unknown> {
  const ended = work.catch((error: unknown) => error);
  await expect.poll(async () => (await other.query(cancelCommits)).rowCount).toBe(1);
  return ended;
}

test("a write that no synchronous standby confirms is stored and not acknowledged", async () => {
  const count = async () =>
    (await other.query("select count(*)::int as count from notes")).rows[0].count;
  const before = await count();
  await withoutStandby(host.databaseUrl, () =>
    withDatabase({}, async (db) => {
      const alone = await givenUp(db.query(write));
      expect([isUnavailable(alone), String(alone)]).toEqual([
        true,
        "Error: The write is stored, but no synchronous standby has confirmed it",
      ]);
      let isCommitted = false;
      const together = await givenUp(
        db.transaction(async (tx) => {
          await tx.query(write);
          tx.afterCommit(() => {
            isCommitted = true;
          });
        }),
      );
      expect([isUnavailable(together), isCommitted]).toEqual([true, true]);
      expect(await count()).toBe(before + 2);
      // The next answer on the connection is its own.
      expect(await pidOf(db)).toBeGreaterThan(0);
    }),
  );
});

test("a repeated key is acknowledged when a standby has confirmed its write, not before", async () => {
  const { admin } = await host.serve();
  const text = '{ "name": "Of a key" }';
  const headers = { "idempotency-key": "of-a-write-that-waits" };
  const send = () => admin.send("POST", "/categories", { text, headers });
  await withoutStandby(host.databaseUrl, async () => {
    // What is stored for the key must not be sent as long as a failover may lose it.
    for (let tries = 0; tries < 2; tries += 1) {
      const sent = send();
      let isOver = false;
      sent.finally(() => {
        isOver = true;
      });
      for (; !isOver; await sleep(20)) await other.query(cancelCommits);
      expect((await sent).status).toBe(503);
    }
  });
  const made = await send();
  expect([made.status, made.headers["idempotency-replayed"]]).toEqual([201, "true"]);
});

const severalHosts = [
  "postgres://u:p@one:5432,two:5433/db",
  "postgres://u:p@one,two/db",
  "postgres://u:p@/db?host=one,two",
  "postgres://u:p@one/db?host=one&host=two",
];

test.each(severalHosts)("several hosts are refused: %s", async (address) => {
  const { exitCode, stderr } = await host.run({ DATABASE_URL: address });
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining(
      "DATABASE_URL must name one address: a VIP, HAProxy, a pooler, or a DNS name that follows the primary",
    ),
  ]);
});
