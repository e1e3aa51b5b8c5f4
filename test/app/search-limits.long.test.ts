import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;
let bob: RuledCaller;
let carol: RuledCaller;

const database = "database: { pool_size: 8 }\n";

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["goods.yaml", "search: { fields: { name: A } }\nfields: { name: { type: string } }\n"],
      ["notes.yaml", "search: { fields: { name: A } }\nfields: { name: { type: string } }\n"],
    ]),
    settings: `auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n${database}`,
  });
  [ada, bob, carol] = (await Promise.all([null, null, null].map(app.caller))) as [
    RuledCaller,
    RuledCaller,
    RuledCaller,
  ];
  await ada.client.post("/goods", { name: "tea" });
  // A search for "slow 3" takes three seconds.
  await app.db.query(
    "alter function service.word_queries(text, integer[], jsonb) rename to fast_word_queries",
  );
  await app.db.query(
    `create function service.word_queries(
       _table_name text, _groups integer[], _query jsonb,
       out exact tsquery, out stemmed tsquery, out prefixed tsquery
     )
     language plpgsql stable as $$
     begin
       if _query #>> '{0,0,text}' = 'slow' then
         perform pg_sleep((_query #>> '{0,1,text}')::integer);
       end if;
       select * into exact, stemmed, prefixed
       from service.fast_word_queries(_table_name, _groups, _query);
     end $$`,
  );
  // So do the highlights of 25 records for "calm 3".
  await app.db.query(
    "alter function service.word_matches(text, text, jsonb, text[]) rename to fast_word_matches",
  );
  await app.db.query(
    `create function service.word_matches(_table_name text, _language text, _terms jsonb, _tokens text[])
     returns table (token text, term integer, place integer, size integer)
     language plpgsql stable as $$
     begin
       if _terms #>> '{0,text}' = 'calm' then
         perform pg_sleep((_terms #>> '{1,text}')::integer);
       end if;
       return query select * from service.fast_word_matches(_table_name, _language, _terms, _tokens);
     end $$`,
  );
});
afterAll(() => app.close());

interface Timed {
  readonly status: number;
  readonly retryAfter: unknown;
  readonly ms: number;
}

async function timed(path: string, by: RuledCaller = ada): Promise<Timed> {
  const began = performance.now();
  const { status, headers } = await by.client.get(path);
  return { status, retryAfter: headers["retry-after"], ms: performance.now() - began };
}

async function searching(): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and state = 'active' and query like '%word_queries%'
       and pid <> pg_backend_pid()`,
  );
  return row?.count ?? 0;
}

test("a search that takes longer than five seconds is 503 with Retry-After", async () => {
  for (const path of ["/goods?search=slow%2030", "/goods/_stats?search=slow%2030"]) {
    const { status, retryAfter, ms } = await timed(path);
    expect([status, Number(retryAfter) > 0], path).toEqual([503, true]);
    expect(ms).toBeGreaterThan(4_900);
    expect(ms).toBeLessThan(9_500);
  }
  await expect.poll(searching).toBe(0);
  expect(await timed("/goods?search=tea")).toMatchObject({ status: 200 });
});

test("two searches run at once in a pool of eight; one that waits over five seconds is 503, and other reads do not wait", async () => {
  const all = Array.from({ length: 8 }, (_, at) =>
    timed("/goods?search=slow%203", at % 2 === 0 ? ada : bob),
  );
  let most = 0;
  let slowest = 0;
  let isOver = false;
  const ended = Promise.all(all).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    most = Math.max(most, await searching());
    const { status, ms } = await timed("/goods?sort=name&filter[name][contains]=te", carol);
    expect(status).toBe(200);
    slowest = Math.max(slowest, ms);
  }
  const answers = (await ended).toSorted((one, other) => one.status - other.status);
  expect(most).toBe(2);
  // The third pair would begin after six seconds.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503, 503, 503, 503]);
  expect(answers.every((one) => one.status === 200 || Number(one.retryAfter) > 0)).toBe(true);
  expect(slowest).toBeLessThan(2_500);
});

test("the highlights of a page take at most five seconds in all", async () => {
  await app.db.query("insert into notes (name) select 'calm 3' from generate_series(1, 30)");
  const path = "/notes?search=calm%203&highlight=name&perPage=";
  expect(await timed(`${path}25`)).toMatchObject({ status: 200 });
  const { status, retryAfter, ms } = await timed(`${path}30`);
  expect([status, Number(retryAfter) > 0]).toEqual([503, true]);
  expect(ms).toBeLessThan(8_000);
});

test("searches of a locked table that wait for its connections leave those of other tables alone", async () => {
  const holder = new pg.Client({ connectionString: app.config.database.url });
  await holder.connect();
  try {
    await holder.query("begin; lock table goods");
    const path = "/goods?sort=name&filter[name][contains]=te";
    const reads = [ada, ada, bob, bob].map((by) => timed(path, by));
    await expect.poll(waiting).toBe(4);
    const searches = [carol, carol].map((by) => timed("/goods?search=tea", by));
    await sleep(100);
    const { status, ms } = await timed("/notes?search=tea", carol);
    expect(status).toBe(200);
    expect(ms).toBeLessThan(1_000);
    await holder.query("rollback");
    await Promise.all([...reads, ...searches]);
  } finally {
    await holder.end();
  }
});

/** The number of statements that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
