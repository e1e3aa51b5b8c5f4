import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JobHost, openJobHost } from "../support/processes/job-host.js";

let host: JobHost;
beforeAll(async () => {
  host = await openJobHost();
});
afterAll(() => host.close());

test("processes that are killed, stop or hang lose no job, and writes of a job's transaction happen once", async () => {
  // Of a first try that has failed.
  await host.db.query("delete from service.jobs");
  await host.db.query("truncate ran_often, ran_once");
  await host.add("often", 1_500);
  await host.add("once", 1_500);
  const alive = Array.from({ length: 4 }, (_, number) => host.worker(number));
  for (let kill = 0; kill < 6; kill += 1) {
    await sleep(700);
    const number = kill % 4;
    alive[number]?.kill("SIGKILL");
    await alive[number];
    alive[number] = host.worker(number);
  }
  const open = async () => {
    const { rows } = await host.db.query("select count(*)::int as count from service.jobs");
    return rows[0].count;
  };
  await expect.poll(open, { timeout: 60_000, interval: 200 }).toBe(0);
  const often = await host.db.query("select count(distinct n)::int as count from ran_often");
  expect(often.rows).toEqual([{ count: 1_500 }]);
  const once = await host.db.query("select count(*)::int as count from ran_once");
  expect(once.rows).toEqual([{ count: 1_500 }]);

  // One ends its process, one keeps it busy for ever, one fills its memory: others go on, and each fails alone.
  for (const name of ["end", "block", "fill"]) await host.add(name, 1);
  await expect
    .poll(
      async () =>
        (await host.db.query("select from service.jobs where state = 'running'")).rowCount,
    )
    .toBe(3);
  await host.db.query("truncate ran_often");
  await host.add("often", 50);
  await expect
    .poll(
      async () =>
        (await host.db.query("select name, state, error from service.jobs order by name")).rows,
      { timeout: 60_000, interval: 200 },
    )
    .toEqual([
      { name: "block", state: "failed", error: "Its process ended" },
      { name: "end", state: "failed", error: "Its process ended" },
      { name: "fill", state: "failed", error: "Its process ended" },
    ]);
  expect(
    (await host.db.query("select count(distinct n)::int as count from ran_often")).rows,
  ).toEqual([{ count: 50 }]);
  for (const one of alive) one.kill("SIGKILL");
  await Promise.all(alive);
}, 180_000);
