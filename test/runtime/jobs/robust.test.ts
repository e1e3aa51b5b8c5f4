import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { usualTimes } from "../../../runtime/jobs/index.js";
import { gate, openQueue, type TestQueue } from "./support/queue.js";

let queue: TestQueue;
beforeAll(async () => {
  queue = await openQueue();
});
afterEach(() => queue.empty());
afterAll(() => queue.close());

const left = async () => (await queue.rows()).length;

test("a job starts at once in the process that adds it, and by the next poll in others", async () => {
  expect(usualTimes.pollMs).toBeLessThan(1_000);
  let started = 0;
  const run = () => {
    started += 1;
  };
  // By the clock it would poll once more after this test only.
  const adding = queue.worker({ run, times: { ...usualTimes, pollMs: 3_600_000 } });
  for (const count of [1, 2, 3]) {
    await queue.add("a");
    adding.wake();
    await expect.poll(() => started, { interval: 5 }).toBe(count);
  }
  queue.worker({ run, times: usualTimes });
  for (const count of [4, 5]) {
    await queue.add("a");
    await expect.poll(() => started, { interval: 5 }).toBe(count);
  }
});

test("a job that adds itself lets others run", async () => {
  let rounds = 0;
  await queue.add("a");
  for (let n = 0; n < 20; n += 1) await queue.add("b");
  queue.worker({
    kinds: { a: {}, b: {} },
    concurrency: 1,
    run: async ({ name }) => {
      if (name === "b") return;
      rounds += 1;
      await queue.add("a");
    },
  });
  await expect
    .poll(async () => (await queue.rows()).filter(({ name }) => name === "b").length)
    .toBe(0);
  await expect.poll(() => rounds).toBeGreaterThan(3);
});

test("the machine's clock is not used, and may jump by a day", async () => {
  const hour = Date.now() + 3_600_000;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
  try {
    await queue.add("a", { input: "late", at: new Date(hour) });
    await queue.add("a", { input: "now" });
    const ran: string[] = [];
    const { open, opened } = gate();
    queue.worker({
      run: async ({ input }) => {
        ran.push(input);
        vi.setSystemTime(Date.now() - 2 * 86_400_000);
        await opened;
      },
      times: { leaseSeconds: 30, upkeepMs: 100 },
    });
    await expect.poll(() => ran).toEqual(["now"]);
    const leasedUntil = async () => {
      const [running] = await queue.db.query<{ until: Date }>(
        "select leased_until as until from service.jobs where state = 'running'",
      );
      return running?.until.getTime() ?? 0;
    };
    // By one of its clocks a lease would be over when it is first looked at, or would not be renewed.
    for (let renewed = 0; renewed < 3; renewed += 1) {
      const before = await leasedUntil();
      await expect.poll(leasedUntil).toBeGreaterThan(before);
    }
    open();
    await expect.poll(async () => (await queue.rows()).map(({ input }) => input)).toEqual(["late"]);
    expect(ran).toEqual(["now"]);
  } finally {
    vi.useRealTimers();
  }
});

test("leases are renewed while another statement of the process waits", async () => {
  await queue.add("a");
  const { open, opened } = gate();
  let runs = 0;
  const run = async () => {
    runs += 1;
    await opened;
  };
  const times = { leaseSeconds: 1, upkeepMs: 100 };
  queue.worker({ run, times, kinds: { a: { concurrency: 1 } } });
  await expect.poll(() => runs).toBe(1);
  // Claiming waits for its turn.
  await queue.db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(7364006)");
    const leased = async () => {
      const [row] = await queue.db.query<{ leased_until: Date }>(
        "select leased_until from service.jobs",
      );
      return row?.leased_until;
    };
    for (let renewed = 0; renewed < 12; renewed += 1) {
      await expect.poll(leased).not.toEqual(await leased());
    }
  });
  open();
  await expect.poll(left).toBe(0);
  expect(runs).toBe(1);
});

test("a job that its process lost runs before those that were due later", async () => {
  await queue.add("a", { input: "lost" });
  await queue.db.query(
    `update service.jobs set state = 'running', attempt = 1, claim = gen_random_uuid(),
       leased_until = now() - interval '1 second'`,
  );
  for (let n = 0; n < 12; n += 1) await queue.add("a", { input: String(n) });
  const ran: string[] = [];
  const { open, opened } = gate();
  queue.worker({
    concurrency: 1,
    run: async ({ input }) => {
      ran.push(input);
      await opened;
    },
  });
  // It is found to be lost while the first of the others runs, if not before.
  const states = async () => (await queue.rows()).map(({ input, state }) => `${input} ${state}`);
  const isFound = async () => ran.includes("lost") || (await states()).includes("lost waiting");
  await expect.poll(isFound).toBe(true);
  open();
  await expect.poll(() => ran).toHaveLength(13);
  expect(ran.indexOf("lost")).toBeLessThan(2);
});
