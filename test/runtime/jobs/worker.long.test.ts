import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { failJob } from "../../../runtime/errors/exports.js";
import { readHours } from "../../../runtime/jobs/index.js";
import { gate, openQueue, type TestQueue } from "./support/queue.js";

let queue: TestQueue;
beforeAll(async () => {
  queue = await openQueue();
});
afterEach(() => queue.empty());
afterAll(() => queue.close());

const left = async () => (await queue.rows()).length;

test("a job runs with its input, at its first attempt, and is removed", async () => {
  const id = await queue.add("a", { input: '{"n":1}' });
  const ran: unknown[] = [];
  const worker = queue.worker({
    run: ({ id, name, input, attempt, tries }) => ran.push({ id, name, input, attempt, tries }),
  });
  await expect.poll(left).toBe(0);
  expect(ran).toEqual([{ id, name: "a", input: '{"n":1}', attempt: 1, tries: 10 }]);
  expect(worker.ended).toMatchObject([{ name: "a", result: "done" }]);
});

test("1 000 jobs on three processes: each runs once", async () => {
  await queue.db.query(
    `insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
     select gen_random_uuid(), 'a', n::text, 10, now(), now() from generate_series(1, 1000) n`,
  );
  const ran: string[] = [];
  for (let at = 0; at < 3; at += 1) queue.worker({ run: ({ input }) => ran.push(input) });
  await expect.poll(left).toBe(0);
  expect(ran.toSorted()).toEqual(Array.from({ length: 1_000 }, (_, n) => `${n + 1}`).toSorted());
});

test("lower priorities run first, then earlier due times; a later time waits", async () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  await queue.add("a", { input: "3", at: at(-10) });
  await queue.add("a", { input: "4", at: at(-5) });
  await queue.add("b", { input: "2", at: at(-1), priority: -1 });
  await queue.add("a", { input: "1", at: at(-1), priority: -10 });
  await queue.add("a", { input: "5", at: at(-20), priority: 10 });
  await queue.add("a", { input: "late", at: at(3_600), priority: -10 });
  const ran: string[] = [];
  queue.worker({ kinds: { a: {}, b: {} }, concurrency: 1, run: ({ input }) => ran.push(input) });
  await expect.poll(left).toBe(1);
  expect(ran).toEqual(["1", "2", "3", "4", "5"]);
});

test("a process runs a limited number at once, and only names that it has", async () => {
  for (let n = 0; n < 10; n += 1) await queue.add("a");
  await queue.add("renamed");
  const { open, opened } = gate();
  let [now, most] = [0, 0];
  queue.worker({
    concurrency: 3,
    run: async () => {
      now += 1;
      most = Math.max(most, now);
      if (now === 3) open();
      await opened;
      now -= 1;
    },
  });
  await expect.poll(async () => (await queue.rows()).map(({ name }) => name)).toEqual(["renamed"]);
  expect(most).toBe(3);
});

test("the limit of a job holds over all processes, and those of other names pass", async () => {
  for (let n = 0; n < 12; n += 1) await queue.add("a");
  for (let n = 0; n < 4; n += 1) await queue.add("b");
  let [now, most, others] = [0, 0, 0];
  const run = async ({ name }: { readonly name: string }) => {
    if (name === "b") {
      others += 1;
      return;
    }
    now += 1;
    most = Math.max(most, now);
    await expect.poll(() => others).toBe(4);
    now -= 1;
  };
  for (let at = 0; at < 3; at += 1) {
    queue.worker({ kinds: { a: { concurrency: 2 }, b: {} }, concurrency: 4, run });
  }
  await expect.poll(left).toBe(0);
  expect(most).toBe(2);
});

test("an error is logged and delays the job by 10 seconds, ± 20 %; after its last attempt it has failed", async () => {
  const id = await queue.add("a");
  const last = await queue.add("a", { tries: 1 });
  const worker = queue.worker({
    run: () => {
      throw new Error("no\0 luck");
    },
  });
  await expect.poll(() => worker.ended.length).toBe(2);
  await expect
    .poll(async () => (await queue.rows()).map(({ state }) => state))
    .toEqual(["waiting", "failed"]);
  const [waits, failed] = await queue.rows();
  expect(waits).toMatchObject({ id, attempt: 1, error: "no luck" });
  expect(failed).toMatchObject({ id: last, attempt: 1, error: "no luck" });
  const [{ seconds = 0, soon } = {}] = await queue.db.query<{ seconds: number; soon: boolean }>(
    "select extract(epoch from due_at - started_at)::float8 as seconds, due_at < now() + interval '12 s' as soon from service.jobs where id = $1",
    [id],
  );
  expect(seconds).toBeGreaterThan(7.9);
  expect(soon).toBe(true);
  expect(worker.logged).toContainEqual(expect.objectContaining({ name: "a", id, attempt: 1 }));
  expect(worker.ended.map(({ result }) => result)).toEqual(["failed", "failed"]);
});

test("failJob ends a job at once; undefined can be thrown too", async () => {
  await queue.add("a", { input: "1" });
  await queue.add("a", { input: "2", tries: 1 });
  const worker = queue.worker({
    run: ({ input }) => {
      if (input === "1") throw failJob("The order is gone");
      return Promise.reject(undefined);
    },
  });
  const states = async () => (await queue.rows()).map(({ state, error }) => [state, error]);
  await expect.poll(states).toEqual([
    ["failed", "The order is gone"],
    ["failed", "undefined"],
  ]);
  expect(worker.ended.map(({ result }) => result).toSorted()).toEqual(["failed", "gave_up"]);
});

test("an attempt that takes too long is aborted and has failed, even if it never returns", async () => {
  await queue.add("a");
  let reason: unknown;
  const worker = queue.worker({
    kinds: { a: { timeout: 0.2 } },
    run: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      }),
  });
  await expect.poll(() => worker.ended).toMatchObject([{ result: "timed_out" }]);
  expect(String(reason)).toContain("more than 0.2 s");
  await expect.poll(queue.rows).toMatchObject([{ state: "waiting", attempt: 1 }]);
});

test("a waiting job with the same key is replaced; a running one is followed by one more", async () => {
  const later = new Date(Date.now() + 3_600_000);
  const id = await queue.add("a", { key: "k", input: "1", at: later });
  expect(await queue.add("a", { key: "k", input: "2" })).toBe(id);
  await queue.add("b", { key: "k", input: "b", at: later });
  expect(await left()).toBe(2);
  const { open, opened } = gate();
  const ran: string[] = [];
  queue.worker({
    run: async ({ input }) => {
      ran.push(input);
      if (input === "2") await opened;
    },
  });
  await expect.poll(() => ran).toEqual(["2"]);
  await queue.add("a", { key: "k", input: "3" });
  await queue.add("a", { key: "k", input: "4" });
  await queue.add("a", { key: "other", input: "5" });
  await expect.poll(() => ran).toEqual(["2", "5"]);
  open();
  await expect.poll(left).toBe(1);
  expect(ran).toEqual(["2", "5", "4"]);
});

test("a failed attempt gives way to a job with its key that was added meanwhile", async () => {
  await queue.add("a", { key: "k", input: "1" });
  const ran: string[] = [];
  const worker = queue.worker({
    run: async ({ input }) => {
      ran.push(input);
      if (input !== "1") return;
      await queue.add("a", { key: "k", input: "2" });
      throw new Error("no luck");
    },
  });
  await expect.poll(left).toBe(0);
  expect(ran).toEqual(["1", "2"]);
  expect(worker.ended.map(({ result }) => result)).toEqual(["failed", "done"]);
});

test("a process that renews no lease loses its job, which runs elsewhere; its own outcome is not stored", async () => {
  const id = await queue.add("a");
  // Claimed by a process that has died.
  await queue.db.query(
    `update service.jobs set state = 'running', attempt = 1, claim = gen_random_uuid(),
       leased_until = now() + interval '300 milliseconds'`,
  );
  const attempts: number[] = [];
  const worker = queue.worker({ run: ({ attempt }) => attempts.push(attempt) });
  await expect.poll(left).toBe(0);
  expect(attempts).toEqual([2]);
  expect(worker.ended).toMatchObject([{ result: "lost" }, { result: "done" }]);
  expect(worker.logged).toContainEqual(expect.objectContaining({ id, name: "a" }));
});

test("a job whose last attempt was lost has failed", async () => {
  await queue.add("a", { tries: 1 });
  await queue.db.query(
    `update service.jobs set state = 'running', attempt = 1, claim = gen_random_uuid(),
       leased_until = now() - interval '1 second'`,
  );
  queue.worker({ run: () => {} });
  await expect.poll(queue.rows).toMatchObject([{ state: "failed", error: "Its process ended" }]);
});

test("a living process keeps a job that runs longer than the lease", async () => {
  await queue.add("a");
  const { open, opened } = gate();
  let runs = 0;
  const run = async () => {
    runs += 1;
    await opened;
  };
  const times = { leaseSeconds: 1, upkeepMs: 100 };
  queue.worker({ run, times });
  queue.worker({ run, times });
  const age = async () => {
    const [row] = await queue.db.query<{ age: number }>(
      "select extract(epoch from now() - started_at)::float8 as age from service.jobs",
    );
    return row?.age ?? 0;
  };
  await expect.poll(age).toBeGreaterThan(2.5);
  open();
  await expect.poll(left).toBe(0);
  expect(runs).toBe(1);
});

test("a process that stops starts no more jobs, and returns unfinished ones: that attempt does not count", async () => {
  for (const input of ["slow", "never", "next"]) await queue.add("a", { input });
  const ran: string[] = [];
  const { open, opened } = gate();
  const worker = queue.worker({
    concurrency: 2,
    run: async ({ input }, signal) => {
      ran.push(input);
      if (input === "slow") await opened;
      else await new Promise((_, reject) => signal.addEventListener("abort", reject));
    },
  });
  await expect.poll(() => ran).toEqual(["slow", "never"]);
  const closing = worker.close(300);
  open();
  await closing;
  expect(ran).toEqual(["slow", "never"]);
  expect(await queue.rows()).toMatchObject([
    { input: "never", state: "waiting", attempt: 0 },
    { input: "next", state: "waiting", attempt: 0 },
  ]);
  expect(worker.ended.map(({ result }) => result)).toEqual(["done"]);
});

test("failed jobs are deleted after thirty days", async () => {
  await queue.add("a", { input: "old" });
  await queue.add("a", { input: "young" });
  await queue.db.query(
    `update service.jobs set state = 'failed',
       failed_at = now() - case input when 'old' then interval '30 days 1 minute' else interval '29 days' end`,
  );
  queue.worker({ run: () => {} });
  await expect.poll(async () => (await queue.rows()).map(({ input }) => input)).toEqual(["young"]);
});

test("the attempts of each hour are counted", async () => {
  await queue.add("a", { input: "good" });
  await queue.add("a", { input: "good" });
  await queue.add("a", { input: "bad", tries: 1 });
  queue.worker({
    run: ({ input }) => {
      if (input === "bad") throw new Error("no luck");
    },
  });
  const last = async () => (await readHours(queue.db)).at(-1);
  await expect.poll(last).toMatchObject({ done: 2, failed: 1 });
  const hours = await readHours(queue.db);
  expect(hours).toHaveLength(24);
  expect(hours[0]).toMatchObject({ done: 0, failed: 0 });
});
