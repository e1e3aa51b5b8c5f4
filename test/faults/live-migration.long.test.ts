import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
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
import { watchLocks } from "../support/database/lock-waits.js";
import { maxWaitMs, startWrites, type WriteLoad } from "../support/database/write-load.js";

const rows = Number(process.env.ITEMS ?? 1_000_000);

let app: ChangedApp;
beforeAll(async () => {
  app = await newChangedApp();
  await app.generate(before);
  await app.migrate();
  await fillItems(app.client, rows);
}, 300_000);
afterAll(() => app.close());

/**
 * PostgreSQL itself refuses a write that waits for a lock for too long, so a busy machine makes no
 * difference but where it stops who holds the lock. What a write takes as a whole is mostly the
 * machine's; all but a few are done in time even where everything else is slow.
 */
test(`writers hardly wait while a table of ${rows} rows is changed in every way`, async () => {
  const { url } = app.target;
  const load = await startWrites({ url, writers: 4, pauseMs: 5, next: itemWrites(rows) });
  await sleep(3_000);
  // A pause of the machine's makes some late without a migration too.
  const usual = Math.max(...load.times);
  report("without a migration", load);
  const watch = await watchLocks(url);
  expect((await app.generate(after, consent)).problems).toEqual([]);

  let step = "checks";
  const { applied } = await migrate({
    ...app.target,
    onProgress(progress) {
      report(step, load);
      step = `${progress.step} of ${progress.steps}: ${progress.what}`;
    },
  });
  report(step, load);
  const longest = await watch.stop();
  await load.stop();

  expect(applied).toHaveLength(1);
  expect(load.errors).toEqual([]);
  expect(longest.ms, longest.lock).toBeLessThan(maxWaitMs);
  const late = load.times.filter((ms) => ms > Math.max(maxWaitMs, 3 * usual));
  expect(load.times.length).toBeGreaterThan(1_000);
  expect(late.length).toBeLessThan(load.times.length / 500);

  expect(await app.dump()).toEqual(await freshDump(after));
  expect(await wrongCounts(app.client)).toEqual([]);
  expect(await wrongItems(app.client)).toBe(0);
  const kept = await app.client.query("select count(*)::int as kept from items where code ~ '^C'");
  expect(kept.rows).toEqual([{ kept: rows }]);
  expect((await app.generate(after)).migration).toBeNull();
  expect(await app.migrate()).toEqual([]);
}, 300_000);

test(`writers hardly wait while the log of changes is enabled and disabled on a table of ${rows} rows`, async () => {
  const { url } = app.target;
  const load = await startWrites({ url, writers: 4, pauseMs: 5, next: itemWrites(rows, 4) });
  const watch = await watchLocks(url);
  reported = 0;
  const items = after.get("items.yaml") ?? "";
  for (const changes of ["changes: { history: 400 }\n", "changes: true\n", ""]) {
    const { problems } = await app.generate(new Map(after).set("items.yaml", changes + items));
    expect(problems).toEqual([]);
    const before = load.times.length;
    await app.migrate();
    await expect.poll(() => load.times.length).toBeGreaterThan(before + 100);
    report(changes === "" ? "changes switched off" : changes.trim(), load);
    const { rows: logged } = await app.client.query(
      "select count(*)::int as n from service.changes_new",
    );
    if (changes === "") await app.client.query("delete from service.changes_new");
    else expect(logged[0].n).toBeGreaterThan(10);
  }
  const longest = await watch.stop();
  await load.stop();
  expect(load.errors).toEqual([]);
  expect(longest.ms, longest.lock).toBeLessThan(maxWaitMs);
  const { rows: logged } = await app.client.query(
    "select count(*)::int as n from service.changes_new",
  );
  expect(logged).toEqual([{ n: 0 }]);
}, 120_000);

let reported = 0;
let since = performance.now();

/** One line for each step with `FIGURES=1`. */
function report(what: string, { times }: WriteLoad): void {
  const writes = times.slice(reported).toSorted((a, b) => a - b);
  const ms = Math.round(performance.now() - since);
  reported = times.length;
  since = performance.now();
  if (process.env.FIGURES === undefined) return;
  const at = (part: number) => writes[Math.floor((writes.length - 1) * part)]?.toFixed(1);
  console.log(
    `${what}: ${ms} ms; ${writes.length} writes, half within ${at(0.5)} ms, longest ${at(1)} ms`,
  );
}
