import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type ChangedApp,
  freshDump,
  newChangedApp,
  wrongCounts,
} from "../support/apps/changed-app.js";
import {
  after,
  before,
  consent,
  fillItems,
  itemWrites,
  wrongItems,
} from "../support/apps/items.js";
import { startWrites } from "../support/database/write-load.js";
import { startMigrate } from "../support/processes/migrate-process.js";

const rows = 20_000;

let app: ChangedApp;
beforeEach(async () => {
  app = await newChangedApp();
  await app.generate(before);
  await app.migrate();
  await fillItems(app.client, rows);
  expect((await app.generate(after, consent)).problems).toEqual([]);
});
afterEach(() => app.close());

test("one of two processes does all the steps; the other waits and finds them done", async () => {
  const runs = await Promise.all([startMigrate(app.target), startMigrate(app.target)]);
  expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
    { exitCode: 0, stderr: "" },
    { exitCode: 0, stderr: "" },
  ]);
  const applied = runs.map(({ stdout }) => JSON.parse(stdout).applied.length);
  expect(applied.toSorted()).toEqual([0, 1]);
  await expectChanged();
});

test("it finishes beside a transaction that holds the table, and writers hardly wait for either", async () => {
  const load = await startWrites({
    url: app.target.url,
    writers: 3,
    pauseMs: 5,
    next: itemWrites(rows - 1),
  });
  // Its rating is missing, so that the batches need this very row.
  const holder = await hold(`update items set remark = 'held' where code = 'C${rows}'`);
  const reader = await hold("set transaction isolation level repeatable read; select 1");
  let isHeld = true;
  const run = app.migrate();
  const release = async () => {
    await sleep(3_000);
    isHeld = false;
    await holder.query("commit");
    // An index that is built waits for whoever may still see what was before.
    await sleep(3_000);
    await reader.query("commit");
  };
  const [applied] = await Promise.all([run.finally(() => expect(isHeld).toBe(false)), release()]);
  await load.stop();
  expect(applied).toHaveLength(1);
  expect(load.errors).toEqual([]);
  // Three thousand on a quiet machine.
  expect(load.times.length).toBeGreaterThan(50);
  await expectChanged();
  await Promise.all([holder.end(), reader.end()]);
});

test("no transaction locks more than two tables that others use", async () => {
  await app.client.query(
    `create table locked (transaction xid8, tables text[]);
     create function note_locks() returns event_trigger language plpgsql as $$
     begin
       insert into locked
       select pg_current_xact_id(), array_agg(distinct relation::regclass::text)
       from pg_locks
       join pg_class on pg_class.oid = relation
       where pid = pg_backend_pid() and relkind = 'r'
         and relnamespace in ('public'::regnamespace, 'service'::regnamespace)
         and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock');
     end $$;
     create event trigger note_locks on ddl_command_end execute function note_locks()`,
  );
  expect(await app.migrate()).toHaveLength(1);
  const { rows: found } = await app.client.query(
    `select array_agg(distinct name order by name) as tables
     from locked, unnest(tables) as name
     group by transaction`,
  );
  const tables = found.map((row): string[] => row.tables);
  expect(tables).toContainEqual(["groups", "items"]);
  expect(tables).toContainEqual(["items", "sites"]);
  expect(tables).toContainEqual(["items", "service.items__tally"]);
  expect(tables.filter((names) => names.length > 2)).toEqual([]);
});

/** All is as if nobody had been there meanwhile. */
async function expectChanged(): Promise<void> {
  expect(await app.dump()).toEqual(await freshDump(after));
  expect(await wrongCounts(app.client)).toEqual([]);
  expect(await wrongItems(app.client)).toBe(0);
}

/** A transaction that stays open. */
async function hold(statement: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: app.target.url });
  await holder.connect();
  await holder.query("begin");
  await holder.query(statement);
  return holder;
}
