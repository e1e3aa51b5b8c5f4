import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import { newLog } from "../../runtime/own-code/index.js";
import { type Expiring, startExpiring } from "../../runtime/resource/trash/expire.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";

let app: WrittenApp;
let holder: pg.Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["boxes.yaml", "trash: 7\nfields: { name: { type: string } }\n"],
      [
        "notes.yaml",
        `trash: 1
fields: { boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade } }
`,
      ],
    ]),
  });
  holder = new pg.Client({ connectionString: app.config.database.url });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await app.close();
});

const started: Expiring[] = [];
beforeEach(() => app.db.query("truncate boxes, notes, service.trash"));
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(started.splice(0).map((one) => one.close()));
});

/** Deletes boxes with as many notes each, which have been in the trash for these days. */
async function deletedBoxes(boxes: number, notes: number, days: number): Promise<void> {
  await app.db.query("insert into boxes (name) select 'Box' from generate_series(1, $1)", [boxes]);
  await app.db.query("insert into notes (box_id) select id from boxes, generate_series(1, $1)", [
    notes,
  ]);
  await app.db.query("delete from boxes");
  await app.db.query(
    "update service.trash set deleted_at = deleted_at - make_interval(days => $1)",
    [days],
  );
}

async function left(): Promise<number> {
  const [row] = await app.db.query<{ n: number }>("select count(*)::int as n from service.trash");
  return row?.n ?? 0;
}

/** A server that deletes expired records with this pause. */
function server(pause?: number): void {
  const definitions = [
    { table: { name: "boxes", trash: { days: 7 } } },
    { table: { name: "notes", trash: { days: 1 } } },
  ] as never;
  const log = newLog({ logLevel: "silent" });
  started.push(startExpiring({ db: app.db, log }, definitions, pause));
}

const expire = async (most: number) => {
  const days = JSON.stringify({ boxes: 7, notes: 1 });
  const [row] = await app.db.query<{ n: number }>("select service.expire_trash($1, $2) as n", [
    days,
    most,
  ]);
  return row?.n;
};

test("all that has expired is deleted, however much it is", async () => {
  await deletedBoxes(250, 3, 8);
  server(50);
  await expect.poll(left).toBe(0);
});

test("a server looks each minute", async () => {
  await deletedBoxes(1, 1, 8);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  server();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await left()).toBe(2);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(left).toBe(0);
  await deletedBoxes(1, 1, 8);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.poll(left).toBe(0);
});

test("the days of the deleted record hold for what went with it", async () => {
  await deletedBoxes(2, 2, 6);
  expect(await expire(10_000)).toBe(0);
  await app.db.query("update service.trash set deleted_at = deleted_at - interval '2 days'");
  expect(await expire(10_000)).toBe(6);
});

test("a statement ends after a number of rows, but deletes each record with all that went with it", async () => {
  await deletedBoxes(5, 3, 8);
  expect(await expire(6)).toBe(8);
  expect(await expire(1)).toBe(4);
  expect(await left()).toBe(8);
  const marks = await app.db.query(
    "select mark from service.trash group by mark having count(*) <> 4",
  );
  expect(marks).toEqual([]);
});

test("one server at a time deletes, and another one goes on where it has ended", async () => {
  await deletedBoxes(3, 1, 8);
  await holder.query("begin");
  await holder.query("select service.expire_trash('{\"boxes\": 7}', 1)");
  expect(await expire(10_000)).toBe(0);
  expect(await left()).toBe(6);
  await holder.query("commit");
  expect(await expire(10_000)).toBe(4);
  expect(await left()).toBe(0);
});

test("a record that is restored meanwhile stays, and the others are deleted", async () => {
  await deletedBoxes(2, 1, 8);
  await holder.query("begin");
  const { rows } = await holder.query(
    "select service.restore_trash(mark) as refused from service.trash where is_root limit 1",
  );
  expect(rows).toEqual([{ refused: null }]);
  const other = openDatabase({ url: app.config.database.url, poolSize: 1, prepare: true });
  const expired = other.query("select service.expire_trash('{\"boxes\": 7}', 10000)");
  await holder.query("commit");
  await expired;
  await other.close();
  expect(await left()).toBe(0);
  const [living] = await app.db.query<{ boxes: number; notes: number }>(
    "select (select count(*)::int from boxes) as boxes, (select count(*)::int from notes) as notes",
  );
  expect(living).toEqual({ boxes: 1, notes: 1 });
});
