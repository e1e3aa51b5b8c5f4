import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMeter } from "../../runtime/operation/status/meter.js";
import { requestsOf, slowestOf } from "../../runtime/operation/status/numbers.js";
import { newSlowList } from "../../runtime/operation/status/slow-list.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let chief: Client;
let ada: Client;

const path = "/_service/status";
const packageMigrations = readdirSync(join(import.meta.dirname, "../../runtime/migrate/sql"));

interface Status {
  readonly tables: readonly {
    readonly resource: string;
    readonly rows: number;
    readonly bytes: number;
  }[];
  readonly requests: { readonly minutes: readonly { readonly at: string; count: number }[] };
  readonly slow: readonly { readonly statement: string }[];
}

const ask = () => chief.get<Status>(path);
/** An answer is shared for a second. */
const later = () => new Promise((resolve) => setTimeout(resolve, 1_050));

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["tasks.yaml", "fields: { title: { type: string } }\n"],
      ["order.yaml", "fields: { title: { type: string } }\n"],
    ]),
    settings: `
auth: { check_breached_passwords: false, operators: [chief] }
server: { host: 127.0.0.1 }
database: { url: "\${DATABASE_URL}", slow_ms: 150 }
`,
  });
  ({ client: chief } = await app.caller("chief"));
  ({ client: ada } = await app.caller(null));
});
afterAll(() => app.close());

test("only operators see the state of the server", async () => {
  await created(ada, "tasks", { title: "Sweep" });
  await created(ada, "order", { title: "Tea" });
  await created(ada, "order", { title: "Coffee" });
  const { status, body } = await ask();
  expect(status).toBe(200);
  const number = expect.any(Number);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    startedAt: time,
    processes: 1,
    database: {
      version: expect.stringMatching(/^\d+/),
      bytes: number,
      connections: number,
      maxConnections: number,
    },
    migrations: { applied: packageMigrations.length + 1, pending: 0 },
    tables: [
      { resource: "order", rows: 2, bytes: number },
      { resource: "tasks", rows: 1, bytes: number },
    ],
    storage: { files: 0, bytes: 0 },
    mails: { waiting: 0 },
    requests: {
      perSecond: number,
      failedPerSecond: 0,
      p50: number,
      p99: number,
      minutes: expect.any(Array),
    },
    slow: expect.any(Array),
  });
  expect(body.tables.every(({ bytes }) => bytes > 8_192)).toBe(true);
  const { minutes } = body.requests;
  expect(minutes).toHaveLength(60);
  expect(minutes.map(({ at }) => at)).toEqual(minutes.map(({ at }) => at).toSorted());
  expect(minutes.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expectRefusal(await ada.get(path), 403);
});

test("a response is shared for a second", async () => {
  await later();
  const [one, two] = await Promise.all([ask(), ask()]);
  expect(two.text).toBe(one.text);
  await created(ada, "tasks", { title: "More" });
  await later();
  const before = one.body.tables[1]?.rows ?? 0;
  expect((await ask()).body.tables).toMatchObject([{}, { rows: before + 1 }]);
});

test("slow statements are listed without values", async () => {
  const given = app.app.db;
  await given.query("select pg_sleep($1::float8 / 1000), $2::text", [200, "a secret"]);
  await later();
  const { body, text } = await ask();
  // Others are slow as well on a machine that is busy with other tests.
  expect(body.slow).toContainEqual({
    statement: "select pg_sleep($1::float8 / 1000), $2::text",
    milliseconds: expect.any(Number),
    count: 1,
    lastAt: expect.any(String),
  });
  expect(text).not.toContain("secret");
});

describe("the counts include", () => {
  let now = Date.parse("2026-11-21T10:00:00.000Z");
  const clock = () => now;

  test("requests of an hour, of several processes, with their times", () => {
    const [one, two] = [newMeter(clock), newMeter(clock)];
    for (let n = 0; n < 98; n += 1) one.note(200, 4);
    two.note(500, 900);
    two.note(404, 900);
    const all = () => [one, two].map((meter) => ({ startedAt: 0, spans: meter.spans(), slow: [] }));
    now += 9_000;
    const shown = requestsOf(all(), now);
    expect(shown.minutes.at(-1)).toEqual({
      at: new Date("2026-11-21T10:00:00.000Z"),
      count: 100,
      failed: 1,
      p99: expect.closeTo(900, -3),
    });
    expect(shown).toMatchObject({ perSecond: 1.69, failedPerSecond: 0.02 });
    expect(shown.p50).toBeGreaterThanOrEqual(4);
    expect(shown.p50).toBeLessThanOrEqual(5);
    now += 61_000;
    expect(requestsOf(all(), now)).toMatchObject({ perSecond: 0, p50: null, p99: null });
    expect(requestsOf(all(), now).minutes.at(-2)).toMatchObject({ count: 100 });
    now += 3_600_000;
    one.note(200, 1);
    const counts = requestsOf(all(), now).minutes.map(({ count }) => count);
    expect(counts).toEqual([...Array.from({ length: 59 }, () => 0), 1]);
  });

  test("only past requests after a clock is set forward and back", () => {
    const meter = newMeter(clock);
    const list = newSlowList(clock);
    const right = now;
    now += 86_400_000;
    meter.note(500, 900);
    list.note("select 1", 900);
    now = right;
    const numbers = () => [{ startedAt: 0, spans: meter.spans(), slow: list.all() }];
    expect(requestsOf(numbers(), now)).toMatchObject({ perSecond: 0, failedPerSecond: 0 });
    expect(slowestOf(numbers())).toEqual([]);
    meter.note(200, 4);
    list.note("select 1", 600);
    expect(requestsOf(numbers(), now).minutes.at(-1)).toMatchObject({ count: 1, failed: 0 });
    expect(slowestOf(numbers())).toMatchObject([{ milliseconds: 600, count: 1 }]);
    now += 86_400_000;
    expect(requestsOf(numbers(), now).minutes.at(-1)).toMatchObject({ count: 0 });
  });

  test("only the slowest statements of the last hour", () => {
    const [one, two] = [newSlowList(clock), newSlowList(clock)];
    for (let n = 0; n < 500; n += 1) one.note(`select ${n}`, n);
    two.note("select 499", 700);
    two.note("x".repeat(5_000), 600);
    const shown = () =>
      slowestOf([one, two].map((list) => ({ startedAt: 0, spans: [], slow: list.all() })));
    expect(one.all()).toHaveLength(200);
    expect(shown()).toHaveLength(20);
    expect(shown().slice(0, 3)).toMatchObject([
      { statement: "select 499", milliseconds: 700, count: 2 },
      { statement: "x".repeat(2_000), milliseconds: 600, count: 1 },
      { statement: "select 498", milliseconds: 498, count: 1 },
    ]);
    now += 3_700_000;
    expect(shown()).toEqual([]);
  });
});
