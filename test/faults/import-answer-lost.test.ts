import { createHash } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ImportingShop, openImportingShop } from "../support/apps/importing-shop.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import {
  type AnswerLosingProxy,
  openAnswerLosingProxy,
} from "../support/http/answer-losing-proxy.js";

let network: AnswerLosingProxy;
let shop: ImportingShop;
/** Past the network. */
let other: pg.Client;
beforeAll(async () => {
  shop = await openImportingShop({}, async (databaseUrl) => {
    other = new pg.Client({ connectionString: databaseUrl });
    network = await openAnswerLosingProxy(databaseUrl);
    return network.url;
  });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await shop.close();
  await network.close();
});
beforeEach(async () => {
  // What a test that failed has left, which would hold up or fail its next try.
  await other.query("rollback");
  await other.query("drop trigger if exists wait_a_while on service.imports");
  await shop.db.query("truncate categories, service.imports cascade");
});

/** Two transactions; the first one has a row that is refused. */
const text = `name\n${Array.from({ length: 1_500 }, (_, at) => `C ${at === 10 ? 0 : at}`).join("\n")}\n`;
const errors =
  "_row,_line,_column,_message,name\r\n11,12,name,Another record has this value,C 0\r\n";

async function stored(): Promise<number> {
  const [row] = await shop.db.query<{ n: number }>("select count(*)::int as n from categories");
  return row?.n ?? 0;
}

test("after a commit whose answer was lost an import continues after it, and reports each refused row once", async () => {
  network.loseAnswerTo("commit\0");
  const first = await shop.import("categories", text, { onError: "skip" });
  expect(first).toMatchObject({ kind: "failed" });
  expect(await stored()).toBe(999);
  const second = await shop.import("categories", text, { onError: "skip", resume: true });
  expect(second).toMatchObject({ kind: "done", isWrong: true, result: { from: 1001, rows: 500 } });
  expect(await stored()).toBe(1_499);
  expect(shop.errors()).toBe(errors);
});

test("an import with stop reports if it is unknown whether its rows were committed", async () => {
  network.loseAnswerTo("commit\0");
  expect(await shop.import("categories", "name\nTea\n")).toMatchObject({
    kind: "failed",
    message:
      "The connection was lost during a commit: either all of these rows are stored, or none",
    hint: "with --on-error skip, --resume continues at the right row; otherwise check whether one of these rows is stored before you run the import again",
  });
  expect(await stored()).toBe(1);
});

test("an import resumed after the last commit's answer was lost is complete, and may be repeated from row 1", async () => {
  network.loseAnswerTo("commit\0");
  const small = "name\nTea\n";
  const skip = { onError: "skip" } as const;
  expect(await shop.import("categories", small, skip)).toMatchObject({ kind: "failed" });
  const resumed = await shop.import("categories", small, { ...skip, resume: true });
  expect(resumed).toMatchObject({ kind: "done", isWrong: false, result: { from: 2, rows: 0 } });
  const again = await shop.import("categories", small, skip);
  expect(again).toMatchObject({ kind: "done", isWrong: true, result: { from: 1, refused: 1 } });
});

test("an import waits for the statements of a killed one before it", async () => {
  // A commit takes a while.
  await other.query(
    `create or replace function wait_a_while() returns trigger language plpgsql as $$
     begin
       perform pg_sleep(2);
       return null;
     end
     $$;
     create constraint trigger wait_a_while after insert on service.imports
     deferrable initially deferred for each row execute function wait_a_while()`,
  );
  const first = shop.import("categories", text, { onError: "skip" });
  const committing = `select from pg_stat_activity
    where datname = current_database() and query = 'commit' and state = 'active'`;
  await expect
    .poll(async () => (await other.query(committing)).rowCount, { interval: 10, timeout: 60_000 })
    .toBe(1);
  network.cut();
  expect(await first).toMatchObject({ kind: "failed" });
  expect(await stored()).toBe(0);
  const next = await shop.import("categories", text, { onError: "skip", resume: true });
  expect(next).toMatchObject({ kind: "done", isWrong: true, result: { from: 1001, rows: 500 } });
  expect(await stored()).toBe(1_499);
  expect(shop.errors()).toBe(errors);
  await other.query("drop trigger wait_a_while on service.imports; drop function wait_a_while()");
});

test("one of two concurrent imports of a file fails, and no row is stored twice", async () => {
  await other.query("begin");
  await other.query(
    `insert into service.imports
       (resource, path, digest, rows, lines, bytes, refused, errors_bytes, is_done, changed_at)
     values ('categories', $1, $2, 1000, 1001, 9000, 0, 0, false, now())`,
    [join(shop.folder, "rows.csv"), createHash("sha256").update(text).digest()],
  );
  const one = shop.import("categories", text, { onError: "skip", resume: true });
  await expect.poll(() => shop.db.query(lockWaiters), { timeout: 60_000 }).toHaveLength(1);
  await other.query("commit");
  expect(await one).toEqual({
    kind: "failed",
    message: "Another process has continued the import of this file in the meantime",
    hint: "--resume continues after its last row",
    result: expect.objectContaining({ from: 1, rows: 0, created: 0 }),
  });
  expect(await stored()).toBe(0);
});
