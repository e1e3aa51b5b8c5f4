import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JobHost, openJobHost } from "../support/processes/job-host.js";

let host: JobHost;
beforeAll(async () => {
  host = await openJobHost();
});
afterAll(() => host.close());

/** 10,000 in all with `JOBS=5000`, which takes some minutes. */
const each = Number(process.env.JOBS ?? 1_500);

/** Notes when a job is claimed, and when one is taken from a dead process, with the end of its lease. */
const watch = `
  create table claimed (id uuid not null, at timestamptz not null);
  create table taken (id uuid not null, lease timestamptz not null, at timestamptz not null);
  create function note() returns trigger language plpgsql as $$
  begin
    if old.state = 'waiting' and new.state = 'running' then
      insert into claimed values (new.id, clock_timestamp());
    elsif old.state = 'running' and new.state = 'waiting' then
      insert into taken values (new.id, old.leased_until, clock_timestamp());
    end if;
    return null;
  end
  $$;
  create trigger note after update of state on service.jobs for each row execute function note()`;

test("none of thousands of jobs is lost or late, though one of four processes is killed every two seconds", async () => {
  await host.db.query(watch);
  await host.add("often", each);
  await host.add("once", each);
  // One kind among the other.
  await host.db.query("update service.jobs set due_at = now() - random() * interval '1 minute'");
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
    // One that works, beside another one: the others may still be starting.
    const pids = alive.map(({ pid }) => pid);
    const { rows: working } = await host.db.query(
      "select pid from began where pid = any ($1) group by pid order by min(at)",
      [pids],
    );
    const number = pids.indexOf(working[0]?.pid);
    if (working.length < 2 || number < 0) continue;
    alive[number]?.kill("SIGKILL");
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

  // A process renews its leases of 20 s as long as it lives, so it died no earlier than that before their end.
  const late = await host.db.query(
    `select count(*)::int as lost, max(extract(epoch from again.at - taken.lease) + 20)::float8 as seconds
     from taken
     cross join lateral (
       select min(at) as at
       from claimed
       where claimed.id = taken.id and claimed.at > taken.at
     ) as again`,
  );
  console.info(JSON.stringify({ kills, ...late.rows[0] }));
  expect(kills).toBeGreaterThan(2);
  expect(late.rows[0].lost).toBeGreaterThan(0);
  expect(late.rows[0].seconds).toBeLessThan(40);
  for (const one of alive) one.kill("SIGKILL");
  await Promise.all(alive);
}, 420_000);
