import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JobHost, openJobHost } from "../support/processes/job-host.js";

let host: JobHost;
beforeAll(async () => {
  host = await openJobHost();
});
afterAll(() => host.close());

const each = 5_000;

test("10,000 jobs, four processes, one killed every two seconds: all are done, and none late", async () => {
  await host.db.query("create table killed (pid integer not null, at timestamptz not null)");
  await host.add("often", each);
  await host.add("once", each);
  const alive = Array.from({ length: 4 }, (_, number) => host.worker(number));
  const open = async () =>
    (await host.db.query("select count(*)::int as count from service.jobs")).rows[0].count;
  let kills = 0;
  let before = 2 * each;
  // Until hardly more are left than those whose leases have to end: each kill loses up to five.
  while ((await open()) > 200) {
    await sleep(2_000);
    const now = await open();
    // On a busy machine processes take longer than that to start: some work is done between two kills.
    if (now > before - 200) continue;
    before = now;
    // One that works, since others may still be starting.
    const pids = alive.map(({ pid }) => pid);
    const { rows: working } = await host.db.query(
      "select pid from began where pid = any ($1) group by pid order by min(at) limit 1",
      [pids],
    );
    const number = pids.indexOf(working[0]?.pid);
    if (number < 0) continue;
    alive[number]?.kill("SIGKILL");
    await host.db.query("insert into killed values ($1, clock_timestamp())", [pids[number]]);
    await alive[number];
    alive[number] = host.worker(number);
    kills += 1;
  }
  await expect.poll(open, { timeout: 60_000, interval: 200 }).toBe(0);
  const { rows } = await host.db.query(
    `select
       (select count(distinct n)::int from ran_often) as often,
       (select count(*)::int from ran_once) as once`,
  );
  expect(rows).toEqual([{ often: each, once: each }]);

  // What killed processes had begun, and how long after the end of the last of them another one had done it.
  const late = await host.db.query(
    `select count(*)::int as lost, max(seconds)::float8 as seconds
     from (
       select extract(epoch from min(done.at) - max(killed.at)) as seconds
       from began
       join killed using (pid)
       join (select n, min(at) as at from ran_often group by n) as done using (n)
       where began.at < killed.at and killed.at < done.at
       group by n
     ) as late`,
  );
  console.info({ kills, ...late.rows[0] });
  expect(kills).toBeGreaterThan(2);
  expect(late.rows[0].lost).toBeGreaterThan(0);
  expect(late.rows[0].seconds).toBeLessThan(40);
  for (const one of alive) one.kill("SIGKILL");
  await Promise.all(alive);
}, 300_000);
