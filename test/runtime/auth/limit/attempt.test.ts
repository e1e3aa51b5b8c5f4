import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { checkAttempt, countAttempt } from "../../../../runtime/auth/limit/attempt.js";
import { type Database, openDatabase } from "../../../../runtime/db/index.js";
import { createDatabase, type TestDatabase } from "../../../support/database/database.js";
import { isHurried, isLong } from "../../../support/searches.js";
import { addUntilPruned } from "../support/pruning.js";

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 10, prepare: true });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

beforeEach(() => db.query("delete from service.attempts"));

const start = Date.parse("2030-01-01T00:00:00.000Z");

function tryAt(key: string, seconds: number) {
  const now = new Date(start + seconds * 1000);
  return countAttempt(db, { key, limit: 3, windowSeconds: 60, now });
}

test("the window slides: each attempt's slot is free again exactly one window later", async () => {
  for (const seconds of [0, 10, 20])
    expect(await tryAt("slide", seconds)).toEqual({ allowed: true });
  expect(await tryAt("slide", 20.5)).toEqual({ allowed: false, retryAfter: 40 });
  expect(await tryAt("slide", 59.999)).toEqual({ allowed: false, retryAfter: 1 });
  expect(await tryAt("slide", 60)).toEqual({ allowed: true });
  expect(await tryAt("slide", 60)).toEqual({ allowed: false, retryAfter: 10 });
  expect(await tryAt("slide", 70)).toEqual({ allowed: true });
});

test("checking whether an attempt would be allowed counts none", async () => {
  const ask = (seconds: number) => {
    const now = new Date(start + seconds * 1000);
    return checkAttempt(db, { key: "asked", limit: 3, windowSeconds: 60, now });
  };
  for (const seconds of [0, 10, 20]) {
    expect(await ask(seconds)).toEqual({ allowed: true });
    expect(await ask(seconds)).toEqual({ allowed: true });
    await tryAt("asked", seconds);
  }
  expect(await ask(20.5)).toEqual({ allowed: false, retryAfter: 40 });
  expect(await ask(59.999)).toEqual({ allowed: false, retryAfter: 1 });
  expect(await ask(60)).toEqual({ allowed: true });
});

test("a server whose clock is ahead admits no attempt that another server refuses", async () => {
  const tryHere = () =>
    countAttempt(db, { key: "ahead", limit: 3, windowSeconds: 60, now: new Date() });
  for (let count = 0; count < 3; count += 1) expect(await tryHere()).toEqual({ allowed: true });
  expect(await tryAt("ahead", 0)).toEqual({ allowed: true });
  expect(await tryHere()).toMatchObject({ allowed: false });
});

test("a refused attempt is not counted", async () => {
  for (let count = 0; count < 3; count += 1) await tryAt("refused", 0);
  for (let seconds = 1; seconds < 60; seconds += 10) {
    expect(await tryAt("refused", seconds)).toMatchObject({ allowed: false });
  }
  expect(await tryAt("refused", 60)).toEqual({ allowed: true });
});

test("only an attempt that may be lost does not wait for the disk", async () => {
  await db.query("drop table if exists waits");
  await db.query("create table waits (setting text)");
  await db.query(
    `create or replace function note_wait() returns trigger language plpgsql as $$
     begin
       insert into waits values (current_setting('synchronous_commit'));
       return null;
     end $$`,
  );
  await db.query(
    "create or replace trigger waits after insert on service.attempts for each row execute function note_wait()",
  );
  const attempt = { limit: 3, windowSeconds: 60, now: new Date(start) };
  const settings = await db.transaction(async (tx) => {
    // The tests' PostgreSQL waits for no disk.
    await tx.query("set local synchronous_commit = on");
    await countAttempt(tx, { ...attempt, key: "kept" });
    await countAttempt(tx, { ...attempt, key: "lost", mayBeLost: true });
    return await tx.query("select setting from waits");
  });
  await db.query("drop trigger waits on service.attempts");
  expect(settings).toEqual([{ setting: "on" }, { setting: "off" }]);
});

test("exactly the allowed number of fifty concurrent attempts pass", async () => {
  const tries = Array.from({ length: 50 }, () =>
    countAttempt(db, { key: "crowd", limit: 10, windowSeconds: 60, now: new Date(start) }),
  );
  const results = await Promise.all(tries);
  expect(results.filter(({ allowed }) => allowed)).toHaveLength(10);
});

test("expired rows are deleted whatever keys clients choose", async () => {
  const key = Array.from({ length: 1_000 }, (_, at) => `chosen-${at}`).find((text) =>
    /^[E-Z]/.test(createHash("sha256").update(text).digest("base64url")),
  );
  await db.query(
    `insert into service.attempts (key, at, expires_at)
     select n::text, array[now()], now() - interval '1 day'
     from generate_series(1, 50) n`,
  );
  await addUntilPruned(expired, (at) => tryAt(key ?? "", 61 * at));
  expect(await rowCount()).toBe(1);
});

test("attempts at one key do not count for another", async () => {
  for (let count = 0; count < 4; count += 1) await tryAt("one", 0);
  expect(await tryAt("other", 0)).toEqual({ allowed: true });
});

test("keys are kept as hashes only", async () => {
  await tryAt("password:someone@example.com", 0);
  const rows = await db.query<{ key: string }>("select key from service.attempts");
  for (const { key } of rows) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test("rows whose window has passed are deleted as new ones are added", async () => {
  for (let count = 0; count < 25; count += 1) await tryAt(`old ${count}`, 0);
  await db.query("update service.attempts set expires_at = now() - interval '1 second'");
  const added = await addUntilPruned(expired, (at) => tryAt(`new ${at}`, 61));
  expect(await rowCount()).toBe(added);
});

function expired(): Promise<readonly unknown[]> {
  return db.query("select from service.attempts where expires_at <= now()");
}

async function rowCount(): Promise<number> {
  const [row] = await db.query<{ rows: number }>(
    "select count(*)::int as rows from service.attempts",
  );
  return row?.rows ?? 0;
}

const addresses = isLong ? 50_000 : 2_000;
// In CI the fewer of `npm test` are enough.
const flood = test.skipIf(isLong && isHurried);

flood(`${addresses} addresses leave no more rows than their window holds`, async () => {
  const perSecond = isLong ? 100 : 20;
  let most = 0;
  for (let first = 0; first < addresses; first += perSecond) {
    const seconds = first / perSecond;
    const tries = Array.from({ length: perSecond }, (_, at) => tryAt(`${first + at}`, seconds));
    await Promise.all(tries);
    // A second has passed for PostgreSQL, too.
    await db.query(
      "update service.attempts set expires_at = now() where expires_at = $1 and expires_at > now()",
      [new Date(start + seconds * 1000)],
    );
    if (seconds % 10 === 0) most = Math.max(most, await rowCount());
  }
  // The window holds a minute of them; the rest is still to be deleted.
  expect(most).toBeGreaterThan(60 * perSecond - 1);
  expect(most).toBeLessThan(65 * perSecond);
});
