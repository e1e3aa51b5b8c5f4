import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { readCalendar, readSchedules, runNow, type Schedule } from "../../../runtime/jobs/index.js";
import { rare, test } from "../../support/rare.js";
import { openQueue, type TestQueue } from "./support/queue.js";

let queue: TestQueue;
beforeAll(async () => {
  queue = await openQueue();
});
afterEach(() => queue.empty());
afterAll(() => queue.close());

const regular: Schedule = {
  name: "regular",
  job: "a",
  calendar: readCalendar("0 * * * *", "UTC"),
  input: '{"from":"schedule"}',
  catchUpMs: 0,
  overlap: false,
};

const stored = () =>
  queue.db.query<{ name: string; next: Date }>(
    "select name, next_at as next from service.schedules order by name",
  );
const comeDue = (ago: string) =>
  queue.db.query(
    "update service.schedules set next_at = date_trunc('minute', now()) - $1::interval",
    [ago],
  );

test("on five processes each scheduled time runs once", async () => {
  const ran: string[] = [];
  const run = ({ input }: { readonly input: string }) => void ran.push(input);
  for (let at = 0; at < 5; at += 1) queue.worker({ run, schedules: [regular] });
  await expect.poll(async () => (await stored()).length).toBe(1);
  await comeDue("0 minutes");
  const due = (await stored())[0]?.next;
  await expect.poll(() => ran.length).toBeGreaterThan(0);
  await expect.poll(async () => (await stored())[0]?.next).not.toEqual(due);
  // Whoever looks again finds the next time.
  await expect
    .poll(async () => (await readSchedules(queue.db, ["regular"]))[0])
    .toMatchObject({ lastState: "done", lastAt: due });
  expect(ran).toEqual(['{"from":"schedule"}']);
});

test("no job is added while the previous one has not ended, unless they may overlap", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ran: string[] = [];
  const overlapping = { ...regular, name: "overlapping", job: "b", overlap: true };
  queue.worker({
    kinds: { a: {}, b: {} },
    schedules: [regular, overlapping],
    run: async ({ name }) => {
      ran.push(name);
      await opened;
    },
  });
  await expect.poll(async () => (await stored()).length).toBe(2);
  await comeDue("0 minutes");
  await expect.poll(() => ran.toSorted()).toEqual(["a", "b"]);
  await comeDue("0 minutes");
  await expect.poll(() => ran.toSorted()).toEqual(["a", "b", "b"]);
  // The time of the other one has moved on all the same.
  await expect
    .poll(async () => (await stored()).every(({ next }) => next.getTime() > Date.now()))
    .toBe(true);
  const again = { schedule: regular, next: new Date(), tries: 10 };
  expect(await runNow(queue.db, again)).toBe(false);
  open();
  await expect.poll(async () => (await queue.rows()).length).toBe(0);
  expect(await runNow(queue.db, again)).toBe(true);
  await expect.poll(() => ran.length).toBe(4);
});

test("missed times are not run without catchUp; a name that no longer exists is forgotten, and changed times apply", async () => {
  const hourly = { ...regular, calendar: readCalendar("0 * * * *", "UTC") };
  const first = queue.worker({ run: () => {}, schedules: [hourly, { ...hourly, name: "gone" }] });
  await expect.poll(async () => (await stored()).length).toBe(2);
  await first.close(0);
  await queue.db.query("update service.schedules set next_at = now() - interval '25 days'");
  const ran: string[] = [];
  const other = { ...hourly, calendar: readCalendar("30 4 1 1 *", "Europe/Oslo"), name: "gone" };
  const worker = queue.worker({
    run: ({ name }) => void ran.push(name),
    schedules: [{ ...hourly, catchUpMs: 0 }],
  });
  await expect.poll(async () => (await stored()).map(({ name }) => name)).toEqual(["regular"]);
  await expect.poll(async () => ((await stored())[0]?.next.getTime() ?? 0) > Date.now()).toBe(true);
  await worker.close(0);
  queue.worker({ run: () => {}, schedules: [other] });
  await expect
    .poll(async () => (await stored()).map(({ name, next }) => [name, next.getUTCMonth()]))
    .toEqual([["gone", 0]]);
  // Within the first minute of an hour that one is not missed.
  expect(ran.length).toBeLessThanOrEqual(1);
});

test("the state of the last job is shown, even if it has failed", async () => {
  queue.worker({
    kinds: { a: { maxAttempts: 1 } },
    run: () => Promise.reject(new Error("no luck")),
    schedules: [regular],
  });
  await expect.poll(async () => (await stored()).length).toBe(1);
  await runNow(queue.db, { schedule: regular, next: new Date(Date.now() + 60_000), tries: 1 });
  const state = async () => (await readSchedules(queue.db, ["regular"]))[0]?.lastState;
  await expect.poll(state).toBe("failed");
  await queue.db.query("delete from service.jobs");
  expect(await state()).toBe("failed");
});

rare(
  "schedules that a process of another release has deleted or changed are stored again once it has stopped",
  async () => {
    const ours = queue.worker({ run: () => {}, schedules: [regular] });
    await expect.poll(async () => (await stored()).length).toBe(1);
    const theirs = { ...regular, calendar: readCalendar("30 4 1 1 *", "UTC") };
    const times = async () =>
      (await queue.db.query<{ cron: string }>("select cron from service.schedules")).map(
        ({ cron }) => cron,
      );

    // One that has none starts later, and deletes what it does not know. A stored schedule has its own next time.
    const farAway = "2999-01-01T00:00:00Z";
    await queue.db.query("update service.schedules set next_at = $1", [farAway]);
    const none = queue.worker({ run: () => {}, schedules: [] });
    const isNew = async () =>
      (await stored()).map(({ next }) => next.getTime() !== Date.parse(farAway));
    await expect.poll(isNew).toEqual([true]);
    await expect.poll(times).toEqual(["0 * * * *"]);
    await none.close(0);

    // One that has other times starts later: they hold as long as it runs.
    const other = queue.worker({ run: () => {}, schedules: [theirs] });
    await expect.poll(times).toEqual(["30 4 1 1 *"]);
    await sleep(3 * 300);
    expect(await times()).toEqual(["30 4 1 1 *"]);
    await other.close(0);
    await queue.db.query("update service.schedules set seen_at = now() - interval '61 seconds'");
    await expect.poll(times).toEqual(["0 * * * *"]);
    await ours.close(0);
  },
);
