import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { migrate } from "../../runtime/migrate/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import {
  type ChangedApp,
  freshDump,
  newChangedApp,
  wrongCounts,
} from "../support/apps/changed-app.js";
import { after, before, consent, fillItems } from "../support/apps/items.js";
import { dump } from "../support/database/dump.js";
import { faultChance } from "../support/load/chance.js";
import { startMigrate } from "../support/processes/migrate-process.js";

const rows = 20_000;
const chance = faultChance("killed-migration");

/** What a migration leaves. */
interface Outcome {
  readonly dump: readonly string[];
  readonly items: unknown;
  readonly wrong: readonly unknown[];
}

/** Of one that nobody disturbed. */
let whole: Outcome;
beforeAll(async () => {
  const app = await pendingApp();
  await app.migrate();
  whole = await outcomeOf(app);
  await app.close();
  expect(whole).toMatchObject({ dump: await freshDump(after), wrong: [] });
});

let app: ChangedApp;
beforeEach(async () => {
  app = await pendingApp();
});
afterEach(() => app.close());

test("killed before each step of a generated migration, it still finishes", async () => {
  const path = newest(app);
  const steps = stepsIn(app);
  expect(steps).toBeGreaterThanOrEqual(10);
  for (let step = 1; step <= steps; step += 1) {
    const { signal } = await startMigrate(app.target, { path, killBefore: step });
    expect(signal).toBe("SIGKILL");
  }
  expect((await startMigrate(app.target)).exitCode).toBe(0);
  expect(await outcomeOf(app)).toEqual(whole);
}, 120_000);

test("killed within its batches, and then during each index build, it still finishes", async () => {
  // Other steps run in batches too: a value is renamed before ratings are filled.
  await killWhen("exists (select from items where rating = 3)");
  const { rows: begun } = await app.client.query(
    "select bool_or(rating = 3) as some, bool_or(rating is null) as left from items",
  );
  expect(begun).toEqual([{ some: true, left: true }]);
  for (const index of ["items__code__unique", "items__site_id__index", "items__search__next"]) {
    const killBefore = stepOf(app, index);
    const { signal } = await startMigrate(app.target, { path: newest(app), killBefore });
    expect(signal).toBe("SIGKILL");
    // The build waits for this snapshot before the index is valid.
    const holder = new pg.Client({ connectionString: app.target.url });
    await holder.connect();
    await holder.query("begin isolation level repeatable read");
    await holder.query("select 1");
    await killWhen(
      `exists (
        select from pg_index
        where indexrelid = to_regclass('${index}') and not indisvalid
      )`,
    );
    await holder.end();
  }
  await app.migrate();
  expect(await outcomeOf(app)).toEqual(whole);
});

test("cut off before it adds missing rows to the tally, it still finishes", async () => {
  await app.client.query(
    `create function cut_off() returns trigger language plpgsql as $$
     begin
       perform pg_terminate_backend(pg_backend_pid());
       return new;
     end
     $$;
     create trigger cut_off before update on service.tallies for each row
     when (old.uncounted <> '{}' and new.uncounted = '{}')
     execute function cut_off()`,
  );
  await expect(app.migrate()).rejects.toThrow();
  const { rows: found } = await app.client.query(
    "select table_name from service.tallies where uncounted <> '{}'",
  );
  expect(found).toEqual([{ table_name: "items" }]);
  await app.client.query("drop trigger cut_off on service.tallies; drop function cut_off()");
  await app.migrate();
  expect(await outcomeOf(app)).toEqual(whole);
});

test("killed repeatedly at any moment, it finishes", async () => {
  for (let round = 0; round < 8; round += 1) {
    const run = startMigrate(app.target);
    await sleep(300 + chance.below(500));
    run.kill("SIGKILL");
    await run;
  }
  await app.migrate();
  expect(await outcomeOf(app)).toEqual(whole);
});

test("after PostgreSQL itself was killed in the middle, it finishes", async () => {
  const root = makeAppFolder();
  const settings = { fsync: "off" };
  const first = await startEmbedded({ root, settings });
  const crashed = await newChangedApp({ url: first.url, drop: async () => {} });
  crashed.client.on("error", () => {});
  await prepare(crashed);
  const { rows: found } = await crashed.client.query("show data_directory");
  const run = migrate({
    ...crashed.target,
    onProgress({ path, step }) {
      if (path === newest(crashed) && step === 5) killServer(found[0].data_directory);
    },
  });
  await expect(run).rejects.toThrow(/:\d+: /);
  await first.stop().catch(() => {});

  const second = await startEmbedded({ root, settings });
  const target = { ...crashed.target, url: second.url };
  const client = new pg.Client({ connectionString: second.url });
  await client.connect();
  try {
    expect((await migrate(target)).applied).toHaveLength(1);
    expect(await outcomeOf({ client, target })).toEqual(whole);
  } finally {
    await client.end();
    await second.stop();
    await crashed.close();
    removeAppFolder(root);
  }
}, 60_000);

/** The first release with its rows; the second is generated. */
async function pendingApp(): Promise<ChangedApp> {
  const made = await newChangedApp();
  await prepare(made);
  return made;
}

async function prepare(made: ChangedApp): Promise<void> {
  await made.generate(before);
  await made.migrate();
  await fillItems(made.client, rows);
  expect((await made.generate(after, consent)).problems).toEqual([]);
}

async function outcomeOf({
  client,
  target,
}: Pick<ChangedApp, "client" | "target">): Promise<Outcome> {
  const { rows: items } = await client.query(
    `select count(*)::int, md5(string_agg(to_jsonb(items)::text, ',' order by id)) from items`,
  );
  return { dump: await dump(target.url), items, wrong: await wrongCounts(client) };
}

/** The path of the newest migration, as the progress names it. */
function newest({ root }: ChangedApp): string {
  const names = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  return `migrations/${names.toSorted().at(-1)}`;
}

function stepsIn(made: ChangedApp): number {
  return stepLines(made).length;
}

/** The number of the step that builds that index. */
function stepOf(made: ChangedApp, index: string): number {
  const line = `-- @index ${index} `;
  return stepLines(made).findIndex((one) => `${one} `.startsWith(line)) + 1;
}

function stepLines(made: ChangedApp): readonly string[] {
  const text = readFileSync(join(made.root, newest(made)), "utf8");
  return text.match(/^-- @(transaction|index|alone|batches|tally).*/gm) ?? [];
}

/** Ends the session of the migration, which holds the lock of migrations, at once. */
const endMigrate = `pg_terminate_backend(pid) from pg_locks
  join pg_database on pg_database.oid = database
  where datname = current_database() and locktype = 'advisory' and objid = 7364003 and granted`;

/** Kills the process that migrates, and what it does in the database, as soon as that holds. */
async function killWhen(condition: string): Promise<void> {
  const run = startMigrate(app.target);
  let isOver = false;
  run.finally(() => {
    isOver = true;
  });
  for (let isDue = false; !isDue; ) {
    if (isOver) throw new Error(`It ended before it could be killed: ${(await run).stderr}`);
    const { rows: found } = await app.client.query(`select ${condition} as due`);
    isDue = found[0].due;
  }
  run.kill("SIGKILL");
  await app.client.query(`select ${endMigrate}`);
  expect((await run).signal).toBe("SIGKILL");
}

function killServer(data: string): void {
  const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}
