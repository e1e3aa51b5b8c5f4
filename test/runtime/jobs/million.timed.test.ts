import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteDone } from "../../../runtime/jobs/index.js";
import { claimJobs } from "../../../runtime/jobs/store/claim.js";
import { openQueue, type TestQueue } from "./support/queue.js";

let queue: TestQueue;
beforeAll(async () => {
  queue = await openQueue();
});
afterAll(() => queue.close());

const kinds = new Map(
  ["a", "b", "limited"].map((name) => [
    name,
    { maxAttempts: 10, timeout: 60, concurrency: name === "limited" ? 3 : null },
  ]),
);

/** The median and the slowest of nineteen in twenty, in milliseconds. */
function spread(times: readonly number[]): { readonly median: number; readonly slow: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { median: at(0.5), slow: at(0.95) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const fill = (count: number) =>
  queue.db.query(
    `insert into service.jobs (id, name, input, tries, priority, due_at, scheduled_at)
     select gen_random_uuid(), (array['a', 'b', 'limited'])[1 + n % 3], '{}', 10, n % 5 - 2,
       now() + (n % 2000 - 1000) * interval '1 second', now()
     from generate_series(1, $1) n`,
    [count],
  );

test("2,000 empty jobs a second", async () => {
  await queue.db.query(
    `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
     select gen_random_uuid(), 'a', '{}', 10, now(), now() from generate_series(1, 10000)`,
  );
  const begin = performance.now();
  const worker = queue.worker({ run: () => {}, concurrency: 20 });
  const open = async () => (await queue.db.query("select from service.jobs limit 1")).length;
  await expect.poll(open, { interval: 50, timeout: 30_000 }).toBe(0);
  const rate = 10_000 / ((performance.now() - begin) / 1_000);
  await worker.close(0);
  console.info(`${Math.round(rate)} empty jobs a second`);
  expect(rate).toBeGreaterThan(2_000);
}, 60_000);

test("with a million waiting jobs picking takes 5 ms, and adding one as long as before", async () => {
  const add = async () => {
    const times: number[] = [];
    for (let n = 0; n < 300; n += 1) {
      times.push(await timed(() => queue.add("b", { key: `key ${n % 50}`, at: later })));
    }
    return spread(times);
  };
  const later = new Date(Date.now() + 3_600_000);
  const before = await add();
  for (let n = 0; n < 10; n += 1) await fill(100_000);
  const after = await add();
  const picks: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    let claimed: Awaited<ReturnType<typeof claimJobs>> = [];
    const claim = { kinds, most: 5, leaseSeconds: 20, done: [], now: null };
    picks.push(
      await timed(async () => {
        claimed = await claimJobs(queue.db, claim);
      }),
    );
    expect(claimed).toHaveLength(5);
    await deleteDone(queue.db, claimed);
  }
  const pick = spread(picks);
  console.info(JSON.stringify({ pick, add: { before, after } }));
  expect(pick.median).toBeLessThan(5);
  expect(after.median).toBeLessThan(before.median * 1.3 + 0.5);
}, 120_000);

test("100,000 jobs with one key become one, which runs once", async () => {
  await queue.empty();
  const at = new Date(Date.now() + 3_600_000);
  const adds = Array.from({ length: 10 }, async () => {
    for (let n = 0; n < 10_000; n += 1) await queue.add("a", { key: "k", input: String(n), at });
  });
  await Promise.all(adds);
  expect((await queue.rows()).map(({ key }) => key)).toEqual(["k"]);
  await queue.db.query("update service.jobs set due_at = now()");
  const ran: string[] = [];
  queue.worker({ run: ({ input }) => void ran.push(input) });
  await expect.poll(async () => (await queue.rows()).length).toBe(0);
  expect(ran).toHaveLength(1);
}, 120_000);
