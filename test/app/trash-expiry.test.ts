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

/** The number of rows that one statement deletes, on that connection. */
async function expire(most: number, by: Pick<pg.Client, "query"> = holder): Promise<number | null> {
  const { rows } = await by.query(expireSome, [most]);
  return rows[0]?.deleted;
}

const expireSome = `
  select deleted
  from service.expire_marks(
    array(select service.expired_marks('{"boxes": 7, "notes": 1}', '{}', 1000)), null, $1
  )`;

test("all expired records are deleted, over several rounds if needed", async () => {
  await deletedBoxes(250, 3, 8);
  server(50);
  await expect.poll(left).toBe(0);
});

test("a server checks every minute", async () => {
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

test("the retention of the deleted record applies to records deleted with it", async () => {
  await deletedBoxes(2, 2, 6);
  expect(await expire(10_000)).toBe(0);
  await app.db.query("update service.trash set deleted_at = deleted_at - interval '2 days'");
  expect(await expire(10_000)).toBe(6);
});

test("large deletions are split into statements of one transaction, which delete the root last", async () => {
  await deletedBoxes(2, 3, 8);
  const { rows } = await holder.query(
    "select service.expired_marks('{\"boxes\": 7}', '{}', 9) as mark",
  );
  const marks = rows.map(({ mark }) => mark);
  const steps = async (begun: string | null) =>
    (await holder.query("select * from service.expire_marks($1, $2, 3)", [marks, begun])).rows;
  const [first, second] = marks;
  await holder.query("begin");
  expect(await steps(null)).toEqual([{ deleted: 3, unfinished: first }]);
  const { rows: roots } = await holder.query("select is_root from service.trash where mark = $1", [
    first,
  ]);
  expect(roots).toEqual([{ is_root: true }]);
  expect(await left()).toBe(8);
  expect(await steps(first)).toEqual([{ deleted: 3, unfinished: second }]);
  expect(await steps(second)).toEqual([{ deleted: 2, unfinished: null }]);
  await holder.query("commit");
  expect(await left()).toBe(0);
});

test("records that belong to an expired one are deleted with it, whatever their mark", async () => {
  await app.db.query("insert into boxes (name) values ('Box')");
  await app.db.query("insert into notes (box_id) select id from boxes, generate_series(1, 3)");
  await app.db.query("delete from notes where id = (select id from notes limit 1)");
  await app.db.query("delete from boxes");
  await app.db.query(
    "update service.trash set deleted_at = deleted_at - interval '8 days' where table_name = 'boxes'",
  );
  await holder.query("begin");
  expect(await expire(2)).toBe(2);
  expect(await expire(2)).toBe(2);
  await holder.query("commit");
  expect(await left()).toBe(0);
});

test("a mark that cannot be deleted in time does not keep younger ones from being deleted", async () => {
  await deletedBoxes(1, 2, 9);
  await deletedBoxes(2, 2, 8);
  const [oldest] = await app.db.query<{ mark: string }>(
    "select mark from service.trash where is_root order by deleted_at limit 1",
  );
  // As if its rows took too long.
  await app.db.query(
    `create function service.late_row() returns trigger language plpgsql as $$
     begin
       if old.mark = '${oldest?.mark}' then
         raise exception 'canceling statement due to statement timeout' using errcode = '57014';
       end if;
       return old;
     end $$`,
  );
  await app.db.query(
    "create trigger late_row before delete on service.trash for each row execute function service.late_row()",
  );
  server(50);
  await expect.poll(left).toBe(3);
  await app.db.query("drop function service.late_row() cascade");
  await expect.poll(left).toBe(0);
});

test("one server at a time deletes, and another continues where it ended", async () => {
  await deletedBoxes(3, 1, 8);
  const other = new pg.Client({ connectionString: app.config.database.url });
  await other.connect();
  await holder.query("begin");
  expect(await expire(2)).toBe(2);
  expect(await expire(10_000, other)).toBe(null);
  expect(await left()).toBe(6);
  await holder.query("commit");
  expect(await expire(10_000, other)).toBe(4);
  await other.end();
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
  const expired = other.query(expireSome, [10_000]);
  await holder.query("commit");
  await expired;
  await other.close();
  expect(await left()).toBe(0);
  const [living] = await app.db.query<{ boxes: number; notes: number }>(
    "select (select count(*)::int from boxes) as boxes, (select count(*)::int from notes) as notes",
  );
  expect(living).toEqual({ boxes: 1, notes: 1 });
});
